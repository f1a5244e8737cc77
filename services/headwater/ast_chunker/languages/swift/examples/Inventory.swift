import Foundation
@testable import struct Core.Money

let limit = 10
public var opened: Int = 0
typealias Handler<T> = (T) -> Void

/// Whatever can be counted.
protocol Counted: AnyObject {
    associatedtype Unit
    var count: Int { get }
    func isEmpty() -> Bool
    init(count: Int)
}

/// One item.
@objc
public final class Item<T: Hashable>: Base, Counted {
    public let name: String, tag: T?
    private(set) var price: Money = .zero
    static let shared = Item(name: "x")
    @Published var note = ""
    var count: Int {
        get { return stock + 1 }
        set { stock = newValue }
    }
    lazy var owner: Owner = { Owner(self) }()

    // Makes one.
    init(name: String, tag: T? = nil) {
        self.name = name
        super.init()
    }

    deinit { opened -= 1 }

    @discardableResult
    func sell(_ amount: Int, by people: String..., then handler: Handler<Item<T>>? = nil) throws -> Int {
        func twice(_ n: Int) -> Int { n * 2 }
        let (a, b) = split(amount)
        let inc = { (x: Int) -> Int in x + 1 }
        for person in people where !person.isEmpty {
            print("sold by \(person) \(person.count)")
        }
        guard let left = stock.first, left > limit else { throw StockError.empty(a) }
        if case .full(let n) = level { return n }
        switch level {
        case .low, .empty: break
        case let .full(n): note = "\(n)"
        default: fallthrough
        }
        handler?(self)
        people.map { $0.count }.forEach { n in opened += n }
        do { try risky() } catch let error as StockError { log(error.message) }
        return twice(left)
    }

    static func + (lhs: Item, rhs: Item) -> Item { lhs }
    subscript(index: Int) -> T? { return tags[index] }

    struct Shelf { var width = 1.0 }
}

enum Level: Int, CaseIterable {
    case empty = 0
    case low, full(Int)
    indirect case nested(Level)
    var label: String { self == .low ? "low" : "other" }
}

extension Item: Equatable where T: Equatable {
    static func == (a: Item, b: Item) -> Bool { a.name == b.name }
    func discount(by rate: Double) -> Money { price * rate }
}

actor Store {
    private var items: [String: Item<Int>] = [:]
    func add(_ item: Item<Int>) async { items[item.name] = item }
}

func makeItem<T>(name: String, tag: T) -> some Counted where T: Hashable {
    #if DEBUG
    debug(name)
    #endif
    return Item<T>(name: name, tag: tag)
}

precedencegroup Pipe { associativity: left }
infix operator |>: Pipe
