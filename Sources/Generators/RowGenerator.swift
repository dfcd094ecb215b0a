import EventLog
import Projection
import Storage
import Strandline

// Invariants
// * An object is found by the seed and its number, which are its unique key; so stores may have what several seeds made.

/// A generator whose objects are rows of one entity, each a function of its number.
protocol RowGenerator: Generator {
    var count: Int { get }
    var seed: UInt64 { get }
    /// How many objects go into one transaction.
    var batch: Int { get }
    /// Without the seed and the number.
    var fields: [FieldDeclaration] { get }
    static var entity: String { get }
    /// What an object is made with: a property that is not among them is never set.
    func values(_ number: Int) -> [PropertyValue]
}

/// What objects of generators without Swift types are found by.
enum RowKey {
    static let seed = Property("seed", .int)
    static let number = Property("number", .int)
    static let fields = [FieldDeclaration(seed), FieldDeclaration(number)]

    static func values(_ seed: UInt64, _ number: Int) -> [PropertyValue] {
        [PropertyValue(Self.seed, .int(Int64(bitPattern: seed))), PropertyValue(Self.number, .int(Int64(number)))]
    }

    static func declaration(_ entity: String, _ fields: [FieldDeclaration]) -> EntityDeclaration {
        EntityDeclaration(name: entity, fields: Self.fields + fields, uniqueKey: ["seed", "number"])
    }

    /// The objects of a seed with some numbers, ascending.
    static func rows(_ entity: String, _ seed: UInt64, _ numbers: Range<Int>, in store: Store) throws -> [Row] {
        let (low, high) = (Int64(numbers.lowerBound), Int64(numbers.upperBound))
        let filter =
            Filter.compare(.property("seed"), .equal, .constant(.int(Int64(bitPattern: seed))))
            && .compare(.property("number"), .greaterOrEqual, .constant(.int(low)))
            && .compare(.property("number"), .less, .constant(.int(high)))
        return try store.rows(of: entity, where: filter, sortedBy: [SortKey(PropertyPath("number"))])
    }

    static func number(of row: Row) -> Int? {
        guard case .value(.int(let number))? = row[number] else { return nil }
        return Int(number)
    }
}

extension RowGenerator {
    public var total: GenerationSummary { GenerationSummary(objects: count) }

    public func generate(
        into store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        var summary = GenerationSummary()
        let declaration = RowKey.declaration(Self.entity, fields)
        while summary.objects < count {
            try Task.checkCancellation()
            let numbers = summary.objects..<min(count, summary.objects + max(1, batch))
            try await GeneratorError.refusingTwice(seed) {
                try await store.write(author: "generator") { tx in
                    try tx.declare(declaration)
                    for number in numbers { try tx.insert(Self.entity, RowKey.values(seed, number) + values(number)) }
                }
            }
            summary.objects = numbers.upperBound
            progress(summary)
        }
        return summary
    }

    public func verify(
        in store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        var summary = GenerationSummary()
        while summary.objects < count {
            try Task.checkCancellation()
            let numbers = summary.objects..<min(count, summary.objects + 500)
            let found = try RowKey.rows(Self.entity, seed, numbers, in: store)
            for (number, row) in zip(numbers, found) {
                guard RowKey.number(of: row) == number else { break }
                let made = RowKey.values(seed, number) + values(number)
                if let property = row.difference(from: made) {
                    throw GeneratorError(
                        .mismatch,
                        "\(Self.entity) \(number) (\(row.id)) has another \(property.name) than it was made with, or one that it was made without"
                    )
                }
            }
            guard found.compactMap(RowKey.number(of:)) == Array(numbers) else {
                throw GeneratorError(
                    .mismatch,
                    "of \(Self.entity) \(numbers.lowerBound) to \(numbers.upperBound - 1) of seed \(seed) there are \(found.count)"
                )
            }
            summary.objects = numbers.upperBound
            progress(summary)
        }
        return summary
    }
}

extension Row {
    /// A property that does not read just as it was set: bit by bit, and absent where it was never set.
    func difference(from values: [PropertyValue]) -> Property? {
        for value in values {
            guard case .value(let held)? = self[value.property], held.isStored(as: value.value) else { return value.property }
        }
        return fields.first { field in !values.contains { $0.property == field.property } }?.property
    }
}

extension Value {
    /// Whether both are stored alike; numbers that are equal, or are none, may not be.
    fileprivate func isStored(as other: Value) -> Bool {
        switch (self, other) {
        case (.double(let a), .double(let b)), (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        default: self == other
        }
    }
}

extension GeneratorError {
    /// Runs what is refused for its unique keys when a store has what a seed makes.
    static func refusingTwice(_ seed: UInt64, _ body: () async throws -> Void) async throws {
        do { try await body() } catch let error as StoreError where error.code == .duplicateKey {
            throw GeneratorError.alreadyGenerated(seed)
        }
    }
}
