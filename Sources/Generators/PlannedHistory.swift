import EventLog
import Projection
import Storage
import Strandline

// Invariants
// * What comes next follows from the seed alone, and from what came before: nothing of it from a store.
// * `items[n]` is what object n is after all steps so far.

/// Changes over time that follow from a seed, and what they come to.
struct PlannedHistory: Sequence, IteratorProtocol {
    /// An object as it should be.
    struct Item {
        let shape: Int
        /// Ascending by property; those that were never set are not there.
        var values: [PropertyValue]
        var isAlive = true
    }

    enum Step {
        case insert(Int)
        case update(Int, [PropertyValue])
        case increment(Int, Property, Int64)
        case delete(Int)
        case restore(Int)
    }

    /// Of a hundred steps.
    struct Weights {
        var inserts = 30
        var deletes = 15
        var restores = 10
    }

    let seed: UInt64
    /// The fields of each entity.
    let shapes: [[Property]]
    private let weights: Weights
    private var words: SeededWords
    private var left: Int
    private(set) var items: [Item] = []
    private var alive: [Int] = []
    private var dead: [Int] = []

    init(seed: UInt64, stream: UInt64, steps: Int, shapes: [[Property]], _ weights: Weights) {
        (self.seed, self.shapes, self.weights, left) = (seed, shapes, weights, steps)
        words = SeededWords(seed: seed, stream)
    }

    /// Entities with two to nine fields of any type.
    static func shapes(_ count: Int, seed: UInt64) -> [[Property]] {
        let types: [ValueType] = [.bool, .int, .double, .string, .date, .uuid, .data, .counter]
        var words = SeededWords(seed: seed, 15)
        return (0..<count).map { _ in
            (0..<Int(2 + words.next() % 8)).map { Property("f\($0)", types[Int(words.next() % UInt64(types.count))]) }
        }
    }

    mutating func next() -> Step? {
        guard left > 0 else { return nil }
        left -= 1
        let chance = Int(words.next() % 100)
        if alive.isEmpty || chance < weights.inserts { return insert() }
        if chance < weights.inserts + weights.deletes { return delete() }
        if chance < weights.inserts + weights.deletes + weights.restores, !dead.isEmpty { return restore() }
        return change()
    }

    private mutating func insert() -> Step {
        let shape = Int(words.next() % UInt64(shapes.count))
        items.append(Item(shape: shape, values: values(shape, sparing: 4)))
        alive.append(items.count - 1)
        return .insert(items.count - 1)
    }

    private mutating func delete() -> Step {
        let number = alive.remove(at: Int(words.next() % UInt64(alive.count)))
        items[number].isAlive = false
        dead.append(number)
        return .delete(number)
    }

    /// A restore writes the whole object anew.
    private mutating func restore() -> Step {
        let number = dead.remove(at: Int(words.next() % UInt64(dead.count)))
        items[number].isAlive = true
        items[number].values = values(items[number].shape, sparing: 3)
        alive.append(number)
        return .restore(number)
    }

    private mutating func change() -> Step {
        let number = alive[Int(words.next() % UInt64(alive.count))]
        let counters = items[number].values.filter { $0.property.type == .counter && $0.value != .null }
        if let counter = counters.first, words.next() % 4 == 0, case .counter(let sum) = counter.value {
            let amount = Int64(words.next() % 100) - 50
            items[number].set(PropertyValue(counter.property, .counter(sum + amount)))
            return .increment(number, counter.property, amount)
        }
        // A counter is added to, and never set.
        let new = values(items[number].shape, sparing: 2).filter { $0.property.type != .counter }
        for value in new { items[number].set(value) }
        return .update(number, new)
    }

    /// Values for about one field of so many; null now and then.
    private mutating func values(_ shape: Int, sparing: UInt64) -> [PropertyValue] {
        shapes[shape].compactMap { property in
            let (word, chance) = (words.next(), words.next())
            if chance % sparing == 0 { return nil }
            let isNull = chance % 13 == 0 && property.type != .counter
            return PropertyValue(property, isNull ? .null : .made(property.type, word))
        }
    }
}

extension PlannedHistory.Item {
    fileprivate mutating func set(_ value: PropertyValue) {
        values.removeAll { $0.property == value.property }
        values.append(value)
    }
}
