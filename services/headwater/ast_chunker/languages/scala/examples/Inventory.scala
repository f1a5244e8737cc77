package shop.inventory

import scala.collection.mutable
import shop.core.{Money => Cash, Store, _}
import shop.util.*

/** Whatever can be counted. */
trait Counted[+A] extends Named with Serializable {
  type Unit
  val count: Int
  def isEmpty: Boolean = count == 0
}

/** One item. */
@deprecated("use Item2", "1.0")
case class Item[T <: AnyRef](name: String, var price: Cash = Cash.Zero)(implicit store: Store)
    extends Base(name)
    with Counted[T] {

  override val count: Int = 1
  private var note, tag: String = ""
  lazy val owner = store.find(name)

  // Second constructor.
  def this(name: String) = this(name, Cash.Zero)

  @tailrec
  final def sell(amount: Int, by: String*)(then: Item[T] => Int): Int = {
    def twice(n: Int): Int = n * 2
    val (a, b) = split(amount)
    val inc = (x: Int) => x + 1
    for (person <- by if person.nonEmpty; n = person.length) {
      println(s"sold by $person ${person.length} $n")
    }
    amount match {
      case 0 => 0
      case n if n > Item.Max => throw new StockError(n)
      case Some(left: Int) => twice(left)
      case head :: rest => inc(head)
    }
    note = "x"
    by.map(_.length).foldLeft(0)(_ + _)
  }

  def +(other: Item[T]): Item[T] = copy(price = price + other.price)
}

object Item {
  val Max = 5
  def apply(name: String): Item[String] = new Item[String](name)
  implicit class Rich(val item: Item[_]) extends AnyVal {
    def label: String = item.name.toUpperCase
  }
}

sealed abstract class Level(val rank: Int)
object Level {
  case object Low extends Level(1)
  case object High extends Level(2)
}

package object syntax {
  type Handler[A] = A => Unit
}

enum Color(val rgb: Int):
  case Red extends Color(0xFF0000)
  case Green, Blue

given ordering: Ordering[Color] with
  def compare(a: Color, b: Color): Int = a.rgb - b.rgb

extension (c: Color)
  def hex: String = c.rgb.toHexString

def topLevel(using Ordering[Color]): Int =
  try risky() catch { case e: Exception => log(e.getMessage) }
