import EventLog
import Foundation
import Interchange
import Projection
import Storage
import Strandline
import Testing

/// The week of earthquakes that the USGS publishes, if there is a copy: what people ask of it, each against SQLite.
@Suite struct QuakeAnswersTests {
    private struct Quake: Sendable {
        let values: [PropertyValue]
    }

    private static let columns: [Property] = [
        Property("code", .string), Property("mag", .double), Property("place", .string), Property("magType", .string),
        Property("time", .int), Property("sig", .int), Property("rms", .double), Property("status", .string),
    ]

    /// `STRANDLINE_QUAKES`, or a folder of data beside the package.
    private static var file: String? {
        let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../shared/data/usgs/all_week-2020-10-13.geojson")
        let paths: [String?] = [
            ProcessInfo.processInfo.environment["STRANDLINE_QUAKES"],
            beside.standardizedFileURL.path(percentEncoded: false),
        ]
        return paths.compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0) }
    }

    @Test func answersAboutQuakesAreThoseOfSQLite() async throws {
        guard let file = Self.file else {
            print("SKIPPED: no file of earthquakes; name one in STRANDLINE_QUAKES")
            return
        }
        let quakes = try Self.quakes(file)
        #expect(quakes.count > 1000)
        var options = Store.Options()
        options.projection.memory = 200_000
        let store = try await Store.open(.inMemory, options: options)
        let database = try Database()
        let ids = try await Self.load(quakes, store, database)
        var ordinals: [ObjectID: Int64] = [:]
        for (index, id) in ids.enumerated() { ordinals[id] = Int64(index + 1) }

        try Self.compare(Answering(store), database, ordinals)
        let token = store.token
        try database.run("CREATE TABLE before AS SELECT * FROM quake")

        let strong = try Filter("mag > 2.5")
        let updated = try await store.write { tx in
            let found = try tx.ids(of: "Quake", where: strong)
            for id in found { try tx.update(id, [PropertyValue(Property("status", .string), .string("strong"))]) }
            return found.count
        }.value
        try database.run("UPDATE quake SET status = 'strong' WHERE mag > 2.5")
        #expect(updated == database.changes)
        try Self.compare(Answering(store), database, ordinals)

        let deleted = try await store.write { tx in
            let found = try tx.ids(of: "Quake", where: .always(true), sortedBy: try SortKey.parse("mag"), limit: 1000)
            try tx.delete(found)
            return found.count
        }.value
        try database.run("DELETE FROM quake WHERE id IN (SELECT id FROM quake ORDER BY mag, id LIMIT 1000)")
        #expect(deleted == 1000 && database.changes == 1000)
        try Self.compare(Answering(store), database, ordinals)

        // The old answers are still to be had.
        try database.run("DROP TABLE quake")
        try database.run("ALTER TABLE before RENAME TO quake")
        try Self.compare(Answering(try await store.snapshot(at: token)), database, ordinals)
        try await store.close()
    }

    private static func quakes(_ file: String) throws -> [Quake] {
        guard let root = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file))) as? [String: Any],
            let features = root["features"] as? [[String: Any]]
        else { return [] }
        return features.compactMap { feature in
            guard let properties = feature["properties"] as? [String: Any] else { return nil }
            return Quake(
                values: columns.map { column in
                    let value: Value
                    switch (column.type, properties[column.name]) {
                    case (.double, let number as NSNumber): value = .double(number.doubleValue)
                    case (.int, let number as NSNumber): value = .int(number.int64Value)
                    case (.string, let text as String): value = .string(text)
                    default: value = .null
                    }
                    return PropertyValue(column, value)
                })
        }
    }

    private static func load(_ quakes: [Quake], _ store: Store, _ database: Database) async throws -> [ObjectID] {
        let columns = columns
        try await store.write { tx in
            _ = try tx.declare(
                EntityDeclaration(name: "Quake", fields: columns.map { FieldDeclaration($0, isOptional: true) }))
        }
        let ids = try await store.write { tx in try quakes.map { try tx.insert("Quake", $0.values) } }.value
        try database.run("CREATE TABLE quake (id INTEGER PRIMARY KEY, \(columns.map(\.name).joined(separator: ", ")))")
        try database.run("BEGIN")
        for (index, quake) in quakes.enumerated() {
            try database.run(
                "INSERT INTO quake VALUES (?\(columns.map { _ in ", ?" }.joined()))",
                [.integer(Int64(index + 1))] + quake.values.map { SQLValue($0.value, ordinal: { _ in -1 }) })
        }
        try database.run("COMMIT")
        return ids
    }

    private static func compare(_ store: Answering, _ database: Database, _ ordinals: [ObjectID: Int64]) throws {
        func ids(_ filter: Filter, sort: String, limit: Int?) throws -> [[SQLValue]] {
            try store.rows("Quake", filter, try SortKey.parse(sort), limit, 0).map { [.integer(ordinals[$0.id] ?? -1)] }
        }
        let count = try database.run("SELECT count(*) FROM quake WHERE mag > 2.5 AND sig < 500")
        #expect([[.integer(Int64(try store.count("Quake", Filter("mag > 2.5 AND sig < 500"))))]] == count)

        // All places are ASCII or Latin without capitals beyond it: SQLite's LIKE, case-insensitive, says the same as [cd].
        try database.run("PRAGMA case_sensitive_like = 0")
        let alaska = try database.run("SELECT id FROM quake WHERE place LIKE '%alaska%' ORDER BY time DESC, id")
        #expect(try ids(Filter("place CONTAINS[cd] 'alaska'"), sort: "-time", limit: nil) == alaska)
        #expect(!alaska.isEmpty)

        let largest = try database.run("SELECT id FROM quake ORDER BY mag DESC, id LIMIT 10")
        #expect(try ids(.always(true), sort: "-mag", limit: 10) == largest)

        let byStatus = try database.run(
            "SELECT status, count(*), min(time), max(sig) FROM quake GROUP BY status ORDER BY status")
        let statuses = try store.groups(
            "Quake", .always(true), [PropertyPath("status")], Aggregate.parse("count,min:time,max:sig"))
        #expect(statuses.map { ($0.keys + $0.values).map { SQLValue($0, ordinal: { _ in -1 }) } } == byStatus)

        // SQLite's sums are rounded at each addition, ours once.
        let means = try database.run("SELECT magType, count(mag), avg(mag) FROM quake GROUP BY magType ORDER BY magType")
        let groups = try store.groups("Quake", .always(true), [PropertyPath("magType")], Aggregate.parse("count:mag,avg:mag"))
        #expect(groups.count == means.count)
        for (group, row) in zip(groups, means) {
            #expect(
                [SQLValue(group.keys[0], ordinal: { _ in -1 }), SQLValue(group.values[0], ordinal: { _ in -1 })]
                    == Array(row[..<2]))
            if case (.double(let ours), .real(let theirs)) = (group.values[1], row[2]) {
                #expect(abs(ours - theirs) <= 1e-12 * abs(theirs))
            } else {
                #expect(SQLValue(group.values[1], ordinal: { _ in -1 }) == row[2])
            }
        }
    }
}
