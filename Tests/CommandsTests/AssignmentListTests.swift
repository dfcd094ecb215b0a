import Commands
import Foundation
import Interchange
import Strandline
import Testing

/// A property of each type that the sample's entities lack.
private struct Gauge: Entity {
    var id = ID()
    var isOpen = false
    var level = 0.0
    var note: String?
    var bytes = Data()
    var visits = Counter()

    static let schema = Schema<Self>("Gauge") {
        Field("isOpen", \.isOpen)
        Field("level", \.level)
        Field("note", \.note)
        Field("bytes", \.bytes)
        Field("visits", \.visits)
    }
}

@Suite("AssignmentList")
struct AssignmentListTests {
    private func withGauges(_ body: (CommandHarness) async throws -> Void) async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            try await Store.open(.directory(harness.store), Gauge.self).close()
            try await body(harness)
        }
    }

    private func gauge(_ harness: CommandHarness, _ set: String...) async throws -> JSONValue {
        let fake = FakeTerminal()
        let arguments = ["insert", harness.store, "Gauge"] + set.flatMap { ["--set", $0] }
        try #require(await CommandTable.strandline.run(arguments, fake.terminal) == .done, "\(fake.talk.text)")
        return try await harness.run("get", harness.store, String(fake.output.text.dropLast()), "--json").json()
    }

    @Test("reads booleans, numbers, data and counters")
    func values() async throws {
        try await withGauges { (harness: CommandHarness) async throws in
            let file = harness.directory + "/bytes"
            try Data([0, 255]).write(to: URL(filePath: file))
            let first = try await gauge(harness, "isOpen=true", "level=-1e-3", "bytes=AP8=", "visits=5", "note=")
            #expect(first["isOpen"] == .bool(true))
            #expect(first["level"] == .number(-0.001))
            #expect(first["bytes"] == .string("AP8="))
            #expect(first["visits"] == .integer(5))
            #expect(first["note"] == .string(""))
            let second = try await gauge(harness, "isOpen=no", "level=3", "bytes=@" + file)
            #expect(second["isOpen"] == .bool(false))
            #expect(second["level"] == .number(3))
            #expect(second["bytes"] == .string("AP8="))
            #expect(second["note"] == .null)
            _ = try await harness.output("update", harness.store, "Gauge", "--all", "--null", "note", "--set", "visits=7")
            #expect(
                try await harness.output("fetch", harness.store, "Gauge", "--where", "note == nil AND visits == 7", "--count")
                    == "2")
        }
    }

    @Test("refuses what is none, and a null where there must be a value")
    func refusals() async throws {
        try await withGauges { (harness: CommandHarness) async throws in
            for (set, sentence) in [
                ("isOpen=maybe", "Gauge.isOpen needs true or false, not 'maybe'"), ("level=x", "Gauge.level needs a number"),
                ("bytes=?", "Gauge.bytes needs base64 or @FILE"),
                ("bytes=@/nonexistent/strandline", "/nonexistent/strandline cannot be read"),
                ("visits=1.5", "Gauge.visits needs a whole number"), ("level=null", "Gauge.level is not optional"),
            ] {
                try await harness.refuses("insert", harness.store, "Gauge", "--set", set, code: .failed, saying: sentence)
            }
            try await harness.refuses(
                "insert", harness.store, "Gauge", "--null", "level", code: .failed, saying: "not optional")
        }
    }
}
