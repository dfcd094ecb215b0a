import EventLog
import Foundation
import Simulation
import Storage

/// The annotated segment in SPEC.md.
enum WorkedExample {
    static let begin = "<!-- worked example: written by the tests, see Tests/Fixtures/README.md -->\n```text\n"
    static let end = "```\n<!-- end of the worked example -->"
    static let specification = URL(filePath: FormatFixtures.tests).deletingLastPathComponent().path + "/SPEC.md"

    /// A store with one object and one update of it, closed cleanly.
    static func segment() throws -> [UInt8] {
        let machine = FormatMachine(seed: 2_026)
        try machine.create("/store")
        let log = try EventLog.open(at: "/store", in: machine.environment, sizes: FormatMachine.smallSizes)
        let title = Property("title", .string)
        let views = Property("views", .int)
        var made: ObjectID?
        var stamp: Stamp?
        for author in ["ann", "bob"] {
            machine.clock.advance(milliseconds: 1_000)
            let open = try log.begin(author: author)
            let header = open.header
            let builder = try TransactionBuilder(
                origin: header.origin, sequence: header.sequence, timestamp: header.timestamp, author: header.author,
                context: header.context, sink: { try open.add(part: $0) })
            if let made {
                let update = Assignment(title, new: .string("Hello"), old: .string("Hi"), overwrote: stamp)
                try builder.update(made, entity: "Post", length: 1, [update])
            } else {
                made = try builder.insert("Post", [PropertyValue(title, .string("Hi")), PropertyValue(views, .int(7))])
                stamp = header.stamp
            }
            _ = try builder.finish()
            _ = try log.finish(open)
        }
        try log.close()
        let files = try machine.contents(of: "/store")
        return files.contents.first { $0.key.hasSuffix(".seg") }?.value ?? []
    }

    static func text() throws -> String {
        var dump = FieldDump(try segment())
        dump.segment()
        return dump.lines.map { $0 + "\n" }.joined()
    }

    /// What SPEC.md shows, with what stands before and behind it.
    static func shown() throws -> (before: String, example: String, after: String)? {
        let files = Environment.system.fileSystem
        let text = String(decoding: try files.readWhole(specification, limit: 1 << 20), as: UTF8.self)
        guard let start = text.range(of: begin), let end = text.range(of: end, range: start.upperBound..<text.endIndex) else {
            return nil
        }
        return (
            String(text[..<start.upperBound]), String(text[start.upperBound..<end.lowerBound]), String(text[end.lowerBound...])
        )
    }
}
