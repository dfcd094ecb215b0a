import EventLog
import Simulation
import Storage
import Strandline
import Testing

/// One store of the golden fixtures, made from nothing.
struct FormatRecipe: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether its files are small enough to be kept; the others are made when the tests run.
    var isKept = true
    let make: @Sendable () async throws -> StoreFiles

    var testDescription: String { name }

    static let all: [FormatRecipe] = [
        FormatRecipe(name: "empty", make: empty), FormatRecipe(name: "values", make: values),
        FormatRecipe(name: "changes", make: changes), FormatRecipe(name: "merged", make: merged),
        FormatRecipe(name: "held", make: held), FormatRecipe(name: "forked", make: forked),
        FormatRecipe(name: "forked-held", make: forkedHeld), FormatRecipe(name: "segments", make: segments),
        FormatRecipe(name: "staged", make: staged), FormatRecipe(name: "unclean", make: unclean),
        FormatRecipe(name: "torn", make: torn), FormatRecipe(name: "recovered", make: recovered),
        FormatRecipe(name: "incompressible", isKept: false, make: incompressible),
    ]
}

// Of one replica.
extension FormatRecipe {
    private static func empty() async throws -> StoreFiles {
        let machine = FormatMachine(seed: 1)
        try machine.create("/store")
        return try machine.contents(of: "/store")
    }

    /// Every type, null and absent, the extremes, blobs inline and as files.
    private static func values() async throws -> StoreFiles {
        let machine = FormatMachine(seed: 2)
        try machine.create("/store")
        try await machine.with("/store") { store in
            try await store.write(author: "model") { tx in for entity in FormatModel.declarations() { try tx.declare(entity) } }
            let small = machine.bytes(100)
            let large = machine.bytes(66_000)
            try await store.write(author: "values") { tx in
                let first = try tx.insert(
                    "Item",
                    [
                        PropertyValue(FormatModel.flag, .bool(true)), PropertyValue(FormatModel.number, .int(.min)),
                        PropertyValue(FormatModel.ratio, .double(-0.0)), PropertyValue(FormatModel.title, .string("plain")),
                        PropertyValue(FormatModel.made, .date(789_012_345.625)),
                        PropertyValue(FormatModel.token, .uuid(Digest128(high: 1, low: .max))),
                        PropertyValue(FormatModel.raw, .data([0, 1, 255])),
                        PropertyValue(FormatModel.picture, .blob(try tx.ingest(.bytes(small)))),
                        PropertyValue(FormatModel.score, .counter(5)),
                    ])
                try tx.insert(
                    "Item",
                    [
                        PropertyValue(FormatModel.flag, .null), PropertyValue(FormatModel.number, .null),
                        PropertyValue(FormatModel.ratio, .double(.nan)),
                        PropertyValue(FormatModel.title, .string("\u{e9}\"\n")),
                        PropertyValue(FormatModel.made, .date(-1)), PropertyValue(FormatModel.token, .null),
                        PropertyValue(FormatModel.raw, .data([])),
                        PropertyValue(FormatModel.picture, .blob(try tx.ingest(.bytes(large)))),
                        PropertyValue(FormatModel.score, .null), PropertyValue(FormatModel.parent, .reference(first)),
                    ])
                try tx.insert("Item", [PropertyValue(FormatModel.picture, .blob(try tx.ingest(.bytes([]))))])
                for number in 0..<40 {
                    try tx.insert(
                        "Item",
                        [
                            PropertyValue(FormatModel.flag, .bool(number % 3 == 0)),
                            PropertyValue(FormatModel.number, number % 7 == 0 ? .null : .int(Int64(number) << (number % 50))),
                            PropertyValue(FormatModel.title, .string(String(repeating: "x", count: number))),
                        ])
                }
            }
        }
        return try machine.contents(of: "/store")
    }

    /// Every kind of change: updates, deletes by every rule, restores, edges, counters, a new version of the model, an abandoned
    /// transaction.
    private static func changes() async throws -> StoreFiles {
        struct Stop: Error {}
        let machine = FormatMachine(seed: 3)
        try machine.create("/store")
        try await machine.with("/store") { store in
            try await store.write(author: "model") { tx in for entity in FormatModel.declarations() { try tx.declare(entity) } }
            let ids = try await store.write(author: "insert") { tx in
                var ids: [ObjectID] = []
                let owner = try tx.insert("User", [PropertyValue(FormatModel.name, .string("Ada"))])
                for number in 0..<6 {
                    var values = [
                        PropertyValue(FormatModel.title, .string("item \(number)")),
                        PropertyValue(FormatModel.score, .counter(1)),
                        PropertyValue(FormatModel.owner, .reference(owner)),
                    ]
                    if let last = ids.last { values.append(PropertyValue(FormatModel.parent, .reference(last))) }
                    ids.append(try tx.insert("Item", values))
                }
                ids.append(
                    try tx.insert(
                        "Tag", [PropertyValue(FormatModel.name, .string("red")), PropertyValue(FormatModel.realm, .int(1))]))
                ids.append(owner)
                return ids
            }.value
            machine.clock.advance(milliseconds: 1)
            try await store.write(author: "update") { tx in
                try tx.update(
                    ids[0], [PropertyValue(FormatModel.title, .string("renamed")), PropertyValue(FormatModel.number, .int(1))])
                try tx.update(ids[1], [PropertyValue(FormatModel.title, .null)])
                try tx.increment(ids[0], "score", by: -3)
                try tx.increment(ids[0], "score", by: 10)
                for item in ids[0..<4] { try tx.setEdge(item, "tags", ids[6], isPresent: true) }
                try tx.setEdge(ids[1], "tags", ids[6], isPresent: false)
            }
            await #expect(throws: Stop.self) {
                try await store.write { tx in
                    try tx.insert("Item", [])
                    throw Stop()
                }
            }
            let deletion = try await store.write(author: "delete") { tx in
                try tx.delete(ids[3])
                try tx.delete(ids[7])
            }
            _ = deletion.token
            try await store.undo(store.replica, 5, author: "undo")
            try await store.write(author: "again") { tx in
                try tx.update(ids[3], [PropertyValue(FormatModel.title, .string("revived"))])
                try tx.increment(ids[3], "score")
                try tx.delete(ids[5])
            }
            try await store.write(author: "model") { tx in
                for entity in FormatModel.declarations(version: 2) { try tx.declare(entity) }
            }
        }
        return try machine.contents(of: "/store")
    }

    /// Several sealed segments, compressed and raw frames, a transaction of several parts.
    private static func segments() async throws -> StoreFiles {
        let machine = FormatMachine(seed: 4)
        let sizes = LogSizes(smallestSegment: 24 << 10, largestSegment: 48 << 10)
        try machine.create("/store", sizes: sizes)
        let log = try EventLog.open(at: "/store", in: machine.environment, sizes: sizes)
        for number in 0..<12 {
            machine.clock.advance(milliseconds: 3)
            let body: [UInt8] = number % 2 == 0 ? machine.bytes(5_000) : Array(repeating: UInt8(number), count: 30_000)
            try write(to: log, author: "segment") { builder in
                for _ in 0..<(number == 7 ? 60 : 1) {
                    try builder.insert("Item", [PropertyValue(FormatModel.raw, .data(body))])
                }
            }
            if number % 5 == 4 { try log.flush() }
        }
        try log.flush()
        try log.close()
        return try machine.contents(of: "/store")
    }

    /// A transaction above 4 MiB that compresses well.
    private static func staged() async throws -> StoreFiles {
        try await stage(seed: 5) { _ in Array(repeating: 7, count: 500_000) }
    }

    private static func incompressible() async throws -> StoreFiles {
        try await stage(seed: 6) { $0.bytes(500_000) }
    }

    private static func stage(seed: UInt64, _ row: (FormatMachine) -> [UInt8]) async throws -> StoreFiles {
        let machine = FormatMachine(seed: seed)
        try machine.create("/store")
        let log = try EventLog.open(at: "/store", in: machine.environment, sizes: FormatMachine.smallSizes)
        try write(to: log, author: "before") { try $0.insert("Item", [PropertyValue(FormatModel.title, .string("before"))]) }
        let rows = (0..<9).map { _ in row(machine) }
        try write(to: log, author: "staged") { builder in
            for row in rows { try builder.insert("Item", [PropertyValue(FormatModel.raw, .data(row))]) }
        }
        try write(to: log, author: "after") { try $0.insert("Item", [PropertyValue(FormatModel.title, .string("after"))]) }
        try log.close()
        return try machine.contents(of: "/store")
    }

    /// Writes one transaction through the log.
    private static func write(to log: EventLog, author: String, _ body: (TransactionBuilder) throws -> Void) throws {
        let open = try log.begin(author: author)
        let header = open.header
        let builder = try TransactionBuilder(
            origin: header.origin, sequence: header.sequence, timestamp: header.timestamp, author: header.author,
            context: header.context, sink: { try open.add(part: $0) })
        if let former = open.former { try builder.rename(former: former) }
        try body(builder)
        _ = try builder.finish()
        _ = try log.finish(open)
    }
}

// With an end that nobody closed.
extension FormatRecipe {
    /// As a process that was killed leaves it.
    private static func unclean() async throws -> StoreFiles { try await interrupted(seed: 7) }

    /// As a power cut leaves it in the middle of a group.
    private static func torn() async throws -> StoreFiles {
        var files = try await interrupted(seed: 8)
        try files.tearLastGroup()
        return files
    }

    /// As opening leaves the torn one: its end noted, a new segment, a new replica id.
    private static func recovered() async throws -> StoreFiles {
        let torn = try await torn()
        let machine = FormatMachine(seed: 9)
        try torn.write(to: "/store", in: machine.files)
        try await machine.with("/store") { store in
            try await store.write(author: "after") { tx in
                try tx.insert("Item", [PropertyValue(FormatModel.title, .string("after"))])
            }
        }
        return try machine.contents(of: "/store")
    }

    private static func interrupted(seed: UInt64) async throws -> StoreFiles {
        let machine = FormatMachine(seed: seed)
        try machine.create("/store")
        let store = try await machine.open("/store")
        try await store.write(author: "model") { tx in for entity in FormatModel.declarations() { try tx.declare(entity) } }
        for number in 0..<3 {
            try await store.write(author: "open") { tx in
                for row in 0..<30 {
                    try tx.insert(
                        "Item",
                        [
                            PropertyValue(FormatModel.title, .string("\(number) \(row)")),
                            PropertyValue(FormatModel.number, .int(Int64(row * row * row))),
                        ])
                }
            }
        }
        let files = try machine.contents(of: "/store")
        try await store.close()
        return files
    }
}
