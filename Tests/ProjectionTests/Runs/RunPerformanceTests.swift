import EventLog
import Foundation
import Projection
import Simulation
import Storage
import Testing

/// Prints rates of a run of posts; with STRANDLINE_RUN_ROWS=1000000 in an optimised build they mean something.
@Suite("Run, measured")
struct RunPerformanceTests {
    private static let entity = WireName("Post")
    private static let title = Property("title", .string)
    private static let content = Property("content", .string)
    private static let views = Property("views", .int)
    private static let date = Property("date", .date)
    private static let code = Property("code", .data)

    private let rows = ProcessInfo.processInfo.environment["STRANDLINE_RUN_ROWS"].flatMap { Int($0) } ?? 5000
    private let replica = ReplicaID(Digest128(high: 11, low: 13))

    /// `count` posts from row `start` on, inserted by a thousand.
    private func posts(_ start: Int, _ count: Int, _ random: inout SplitMix64) -> [(id: ObjectID, record: ObjectRecord)] {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz     ".utf8)
        var state = FoldState()
        var ids: [ObjectID] = []
        for row in start..<start + count {
            let sequence = UInt64(row / 1000 + 1)
            let id = ObjectID(replica: replica, sequence: sequence, index: UInt32(row % 1000))
            let text = (0..<70).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            let code = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let stamp = Stamp(timestamp: Timestamp(milliseconds: 1_700_000_000_000 + sequence), replica: replica)
            let values = [
                PropertyValue(Self.title, .string("Post number \(row)")),
                PropertyValue(Self.content, .string(String(decoding: text, as: UTF8.self))),
                PropertyValue(Self.views, .int(Int64(random.next() % 10_000))),
                PropertyValue(Self.date, .date(700_000_000 + Double(random.next() % 100_000_000))),
                PropertyValue(Self.code, .data(code)),
            ]
            state.apply(.insert(object: id, entity: Self.entity.text, values: values), stamp: stamp)
            ids.append(id)
        }
        return ids.compactMap { id in state.objects[id].map { (id, $0) } }
    }

    private func note(_ what: String, _ count: Int, _ time: Duration) {
        let seconds = Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
        print("run: \(what): \(Int(Double(count) / seconds)) per second, \(Int(seconds * 1e6)) us for \(count)")
    }

    @Test("rates")
    func rates() throws {
        let files = POSIXFileSystem()
        let directory = "/tmp/strandline-run-\(Digest128.hex(SystemRandom().next()))"
        try files.createDirectory(directory)
        defer { try? files.removeTree(directory) }
        let path = Path.join(directory, "1.run")
        let clock = ContinuousClock()
        var random = SplitMix64(seed: 1)
        var writing = Duration.zero
        let writer = try RunWriter(fileSystem: files, path: path)
        for start in stride(from: 0, to: rows, by: 20_000) {
            let part = posts(start, min(20_000, rows - start), &random)
            let terms = part.map { RunTerms([$0.id.sequence &* 0x9E37_79B9_7F4A_7C15 &+ UInt64($0.id.index) << 17]) }
            writing += try clock.measure {
                for (post, terms) in zip(part, terms) { try writer.append(post.id, .whole(post.record), terms: terms) }
            }
        }
        var size: UInt64 = 0
        writing += try clock.measure { size = try writer.finish().byteCount }
        note("written, \(size / UInt64(rows)) bytes a row", rows, writing)
        let cache = BlockCache(budget: 1 << 30)
        var opened: Run?
        let opening = try clock.measure { opened = try Run(fileSystem: files, path: path, cache: cache) }
        let run = try #require(opened)
        note("opened", 1, opening)
        try measure(run, clock, &random)
        try merge(run, files, Path.join(directory, "2.run"), clock)
    }

    private func measure(_ run: Run, _ clock: ContinuousClock, _ random: inout SplitMix64) throws {
        let blocks = run.blocks(of: Self.entity)
        for (what, property) in [("ints", Self.views), ("texts", Self.content), ("titles", Self.title), ("data", Self.code)] {
            var count = 0
            for round in ["read and decoded", "cached"] {
                count = 0
                let time = try clock.measure { for block in blocks { count += try block.column(property)?.count ?? 0 } }
                note("\(what), \(round)", count, time)
            }
            #expect(count == rows)
        }
        let ids = (0..<rows).map { _ in
            let row = Int(random.next() % UInt64(rows))
            return ObjectID(replica: replica, sequence: UInt64(row / 1000 + 1), index: UInt32(row % 1000))
        }
        var found = 0
        for id in ids.prefix(rows / 4) where try run.record(id) != nil { found += 1 }
        note("records by id", rows, try clock.measure { for id in ids where try run.record(id) != nil { found += 1 } })
        note("rows by id", rows, try clock.measure { for id in ids where try run.position(of: id) != nil { found += 1 } })
        let positions = try ids.compactMap { try run.position(of: $0) }
        note(
            "values", rows,
            try clock.measure {
                for row in positions where try run.value(at: row, Self.views) != nil { found += 1 }
            })
        note(
            "five values of a row", rows,
            try clock.measure {
                for id in ids {
                    guard let position = try run.position(of: id) else { continue }
                    let row = try run.row(at: position)
                    for number in 0..<5 where row.value(number) != nil { found += 1 }
                }
            })
        let terms = ids.map { $0.sequence &* 0x9E37_79B9_7F4A_7C15 &+ UInt64($0.index) << 17 }
        note("terms found", rows, try clock.measure { for term in terms { found += try run.rows(withTerm: term).count } })
        note(
            "terms not there", rows,
            try clock.measure {
                for term in terms { found += try run.positions(withTerm: term &+ 1).count }
            })
        #expect(found >= rows * 9)
    }

    private func merge(_ run: Run, _ files: POSIXFileSystem, _ path: String, _ clock: ContinuousClock) throws {
        var count = 0
        note("records in order", rows, try clock.measure { try run.forEachRecord { _, _ in count += 1 } })
        let writer = try RunWriter(fileSystem: files, path: path)
        let time = try clock.measure {
            try RunMerge([RunMerge.Source(run)]).write(to: writer) { _, _ in RunTerms() }
            count += try writer.finish().rowCount
        }
        note("merged", rows, time)
        #expect(count == 2 * rows)
    }
}
