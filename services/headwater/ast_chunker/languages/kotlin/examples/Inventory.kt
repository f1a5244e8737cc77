@file:JvmName("Inventory")
package shop.inventory

import kotlin.math.max
import shop.core.Money as Cash
import shop.core.*

const val LIMIT = 10
private var opened: Int = 0
typealias Handler<T> = (T) -> Unit

/** Whatever can be counted. */
interface Counted {
    val count: Int
    fun isEmpty(): Boolean = count == 0
}

/**
 * One item.
 */
@Serializable
data class Item<T : Any>(val name: String, var price: Cash = Cash.ZERO, tag: T) : Base(name), Counted {
    override val count: Int
        get() = field + 1
    var note: String = ""
        set(value) { field = value.trim() }
    lateinit var owner: Owner

    init {
        opened += 1
    }

    constructor(name: String) : this(name, Cash.ZERO, TODO())

    // Sells some.
    @Throws(StockError::class)
    suspend fun sell(amount: Int, vararg by: String, then: Handler<Item<T>>? = null): Int {
        fun twice(n: Int) = n * 2
        val (a, b) = split(amount)
        val inc = { x: Int -> x + 1 }
        for (person in by) {
            println("sold by $person ${person.length}")
        }
        then?.invoke(this)
        when (val left = count - amount) {
            in 0..LIMIT -> return twice(left)
            is Int -> note = "x"
            else -> throw StockError(left)
        }
        return by.map { it.length }.fold(0) { sum, n -> sum + n }
    }

    operator fun plus(other: Item<T>): Item<T> = copy(price = price + other.price)

    inner class Shelf {
        fun owner() = this@Item.owner
    }

    companion object Factory {
        const val MAX = 5
        @JvmStatic fun of(name: String) = Item<Any>(name)
    }
}

enum class Level(val rank: Int) {
    LOW(1) {
        override fun label() = "low"
    },
    HIGH(2);

    abstract fun label(): String
}

object Registry : Store by DefaultStore {
    private val items = mutableListOf<Item<*>>()
    fun add(item: Item<*>) = items.add(item)
}

sealed interface Event
annotation class Marker(val why: String)
fun interface Visitor { fun visit(item: Item<*>) }

fun <T : Any> Item<T>.discount(by: Double): Item<T> = apply { price *= by }
val Item<*>.label: String get() = name.uppercase()

fun main(args: Array<String>) {
    val listener = object : Listener {
        override fun onEvent(e: Event) { Registry.add(Item.of(args[0])) }
    }
    val f = ::main
    val g = Item<Any>::discount
    loop@ for (i in 1..3) { if (i > max(1, 2)) break@loop }
    try { risky() } catch (e: Exception) { log(e.message!!) }
}
