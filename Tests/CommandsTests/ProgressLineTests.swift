import Commands
import Testing

@Suite("ProgressLine")
struct ProgressLineTests {
    @Test("draws a bar, a log line and a summary")
    func lines() {
        var line = ProgressLine(title: "import quakes.json", total: 2000, unit: .items("objects"))
        line.done = 1000
        #expect(line.bar(after: .milliseconds(500)) == "import quakes.json [##########----------]  50%  1,000 objects  2,000/s")
        #expect(line.plain(after: .milliseconds(500)) == "import quakes.json: 50% of 2,000 objects, 2,000/s")
        #expect(line.summary(after: .milliseconds(1_260)) == "import quakes.json: 1,000 objects in 1.3 s")
    }

    @Test("does without a total, with nothing to do, and with more done than announced")
    func edges() {
        var open = ProgressLine(title: "read", total: nil, unit: .bytes)
        open.done = 15_300_000
        #expect(open.bar(after: .seconds(1)) == "read: 15.3 MB, 15.3 MB/s")
        #expect(ProgressLine(title: "read", total: 0, unit: .bytes).plain(after: .zero) == "read: 100% of 0 B, 0 B/s")
        var over = ProgressLine(title: "read", total: 10, unit: .items("rows"))
        over.done = 20
        #expect(over.bar(after: .seconds(1)) == "read [####################] 100%  20 rows  20/s")
    }

    @Test(
        "writes amounts for people",
        arguments: [(0, "0", "0 B"), (999, "999", "999 B"), (1_000, "1,000", "1.0 kB"), (999_960, "999,960", "1.0 MB")])
    func amounts(count: UInt64, grouped: String, bytes: String) {
        #expect(ProgressLine.grouped(count) == grouped)
        #expect(ProgressLine.bytes(count) == bytes)
    }
}
