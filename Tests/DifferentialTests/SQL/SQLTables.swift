import EventLog
import Foundation

/// A world in a database of SQLite, and what must be known of its columns.
struct SQLTables {
    /// What decides whether SQLite's answers can be ours.
    struct Facts {
        var hasNaN = false
        /// Every character is one scalar, once composed.
        var isScalarwise = true
        var magnitude = 0.0
        /// All are multiples of 1/1024.
        var isGranular = true
    }

    let models: [Model]
    let database: Database
    private var facts: [String: [String: Facts]] = [:]
    private var counts: [String: Int] = [:]

    init(_ world: World) throws {
        models = world.models
        database = try Database()
        try database.run("BEGIN")
        for (index, model) in models.enumerated() {
            let names = model.columns.map(\.name) + model.references.map(\.name)
            // Without types SQLite keeps what it is given.
            let columns = names.indices.map { ", c\($0)" }.joined()
            try database.run("CREATE TABLE e\(index) (id INTEGER PRIMARY KEY\(columns))")
            let marks = names.map { _ in ", ?" }.joined()
            let rows = world.rows(of: model.name)
            counts[model.name] = rows.count
            for row in rows {
                let values = names.map { row.values[$0] ?? .null }
                for (name, value) in zip(names, values) { facts[model.name, default: [:]][name, default: Facts()].note(value) }
                try database.run(
                    "INSERT INTO e\(index) VALUES (?\(marks))",
                    [.integer(row.ordinal)] + values.map { SQLValue($0, ordinal: world.ordinal) })
            }
        }
        try database.run("COMMIT")
    }

    func facts(_ model: Model, _ name: String) -> Facts { facts[model.name]?[name] ?? Facts() }

    func model(_ name: String) -> Model? { models.first { $0.name == name } }

    func table(_ model: Model) -> String { "e\(models.firstIndex { $0.name == model.name } ?? 0)" }

    /// The name of a column or reference; wire names may be words of SQL, or differ in case alone.
    func column(_ model: Model, _ name: String) -> String {
        let names = model.columns.map(\.name) + model.references.map(\.name)
        return "c\(names.firstIndex { $0.utf8.elementsEqual(name.utf8) } ?? -1)"
    }

    /// Whether any sum over the rows of `base` is exact in doubles, whatever the order.
    func sumsAreExact(_ model: Model, _ name: String, base: Model) -> Bool {
        let facts = facts(model, name)
        return facts.isGranular && facts.magnitude * Double(counts[base.name] ?? 0) < 0x1p42
    }
}

extension SQLTables.Facts {
    fileprivate mutating func note(_ value: Value) {
        switch value {
        case .int(let number), .counter(let number): magnitude = max(magnitude, abs(Double(number)))
        case .double(let number), .date(let number):
            hasNaN = hasNaN || number.isNaN
            magnitude = max(magnitude, abs(number))
            isGranular = isGranular && (number * 1024).rounded() == number * 1024
        case .string(let text): isScalarwise = isScalarwise && text.isScalarwise
        default: break
        }
    }
}

extension String {
    /// Whether every character is one scalar, once composed.
    var isScalarwise: Bool { precomposedStringWithCanonicalMapping.unicodeScalars.count == count }
}
