import EventLog
import Projection
import Strandline

/// What can be asked: a store, or a snapshot of one.
struct Answering {
    let rows: (String, Filter, [SortKey], Int?, Int) throws -> [Row]
    let count: (String, Filter) throws -> Int
    let groups: (String, Filter, [PropertyPath], [Aggregate]) throws -> [(keys: [Value], values: [Value])]

    init(_ store: Store) {
        rows = { try store.rows(of: $0, where: $1, sortedBy: $2, limit: $3, offset: $4) }
        count = { try store.count(of: $0, where: $1) }
        groups = { try store.groups(of: $0, where: $1, by: $2, $3) }
    }

    init(_ snapshot: Snapshot) {
        rows = { try snapshot.rows(of: $0, where: $1, sortedBy: $2, limit: $3, offset: $4) }
        count = { try snapshot.count(of: $0, where: $1) }
        groups = { try snapshot.groups(of: $0, where: $1, by: $2, $3) }
    }
}

/// Compares the answers about one world with SQLite's, or where SQLite cannot be asked, with the naive evaluator's.
struct Examiner {
    let world: World
    private let tables: SQLTables
    private let naive: NaiveEvaluator

    init(_ world: World, patterns: [String: NaivePattern]) throws {
        self.world = world
        tables = try SQLTables(world)
        naive = NaiveEvaluator(world: world, patterns: patterns)
    }

    /// Asks one question.
    ///
    /// - Parameters:
    ///   - text: the filter as the store is asked it, in which ids are strings.
    ///   - asksBoth: asks the naive evaluator also where SQLite was asked.
    /// - Returns: what differs; nil if nothing does.
    func difference(
        _ question: Question, asText text: Filter?, _ answering: Answering, asksBoth: Bool, _ tally: inout Tally
    ) throws -> String? {
        guard let model = world.model(question.entity) else { return "no entity \(question.entity)" }
        tally.cases += 1
        let filter = question.filter
        let asked = text ?? filter
        let answer: [[SQLValue]]
        var naiveDifference: () -> String? = { nil }
        switch question.kind {
        case .rows(let sort, let limit, let offset):
            let rows = try answering.rows(model.name, asked, sort, limit, offset)
            for row in rows.prefix(3) { if let difference = difference(row) { return difference } }
            answer = rows.map { [.integer(world.ordinal($0.id))] }
            naiveDifference = {
                let all = naive.sorted(naive.rows(of: model.name, where: filter), by: sort)
                let expected = all.dropFirst(offset).prefix(limit ?? .max).map { [SQLValue.integer($0.ordinal)] }
                return Self.difference(answer, expected, "the naive evaluator")
            }
        case .count:
            let count = try answering.count(model.name, asked)
            answer = [[.integer(Int64(count))]]
            naiveDifference = {
                let expected = naive.rows(of: model.name, where: filter).count
                return count == expected ? nil : "counted \(count), the naive evaluator \(expected)"
            }
        case .groups(let keys, let aggregates):
            let groups = try answering.groups(model.name, asked, keys, aggregates)
            answer = groups.map { ($0.keys + $0.values).map { SQLValue($0, ordinal: world.ordinal) } }
            naiveDifference = {
                Self.difference(groups, naive.groups(naive.rows(of: model.name, where: filter), by: keys, aggregates))
            }
        }
        do {
            let expected = try sqlite(question, model)
            tally.asked += 1
            if let difference = Self.difference(answer, expected, "SQLite") {
                return difference + "; " + (naiveDifference() ?? "the naive evaluator agrees")
            }
            return asksBoth ? naiveDifference() : nil
        } catch let exclusion as Exclusion {
            tally.exclusions[exclusion, default: 0] += 1
            return naiveDifference()
        }
    }

    /// - Throws: ``Exclusion`` when SQLite cannot be asked.
    private func sqlite(_ question: Question, _ model: Model) throws -> [[SQLValue]] {
        var translation = SQLTranslation(tables, ordinal: world.ordinal)
        let sql: String
        switch question.kind {
        case .rows(let sort, let limit, let offset):
            sql = try translation.rows(question.filter, sort, limit: limit, offset: offset, model)
        case .count: sql = try translation.count(question.filter, model)
        case .groups(let keys, let aggregates):
            sql = try translation.groups(question.filter, by: keys, aggregates, model)
        }
        return try tables.database.run(sql, translation.bindings)
    }

    /// Compares a row with what was written, bit by bit.
    func difference(_ row: Row) -> String? {
        guard let written = world.rows[row.id], let model = world.model(written.entity) else { return "no object \(row.id)" }
        for property in model.columns.map({ Property($0.name, $0.type) })
            + model.references.map({ Property($0.name, .reference) })
        {
            let expected = written.values[property.name]
            let found: Value? =
                switch row[property] {
                case nil: nil
                case .value(let value): value
                case .reference(.object(let id)): .reference(id)
                case .reference: .null
                }
            if found != expected {
                return "\(row.id) has \(property) \(found.map { "\($0)" } ?? "absent"), not "
                    + (expected.map { "\($0)" } ?? "absent")
            }
        }
        return nil
    }

    private static func difference(_ answer: [[SQLValue]], _ expected: [[SQLValue]], _ other: String) -> String? {
        if answer == expected { return nil }
        let place = zip(answer, expected).prefix { $0 == $1 }.count
        func shown(_ rows: [[SQLValue]]) -> String { place < rows.count ? "\(rows[place])" : "nothing" }
        return "\(answer.count) rows, \(other) has \(expected.count); in row \(place): \(shown(answer)), \(other) has "
            + shown(expected)
    }

    /// What differs in groups from those of the naive evaluator; nil if nothing does.
    static func difference(
        _ groups: [(keys: [Value], values: [Value])], _ expected: [(keys: [Value], figures: [NaiveFigure])]
    ) -> String? {
        if groups.count != expected.count { return "\(groups.count) groups, the naive evaluator has \(expected.count)" }
        for (group, other) in zip(groups, expected) {
            if group.keys != other.keys { return "group \(group.keys), the naive evaluator has \(other.keys)" }
            for (value, figure) in zip(group.values, other.figures) where !figure.isMet(by: value) {
                return "group \(group.keys) has \(value), the naive evaluator \(figure)"
            }
        }
        return nil
    }
}
