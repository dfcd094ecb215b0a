import EventLog
import Simulation
import Storage
import Strandline
import Testing

@Suite struct RecordLogTests {
    private let environment = Environment.inMemory()
    private let layout = StoreLayout(root: "/store")

    private func made(_ change: (inout RecordOptions) -> Void = { _ in }) throws -> RecordLog {
        try environment.fileSystem.createDirectories(layout.root)
        var options = RecordOptions()
        change(&options)
        return RecordLog(layout, in: environment, options)
    }

    private func lines() throws -> [String] { try RecordText.lines(in: layout.logs, environment.fileSystem) }

    @Test func aRecordIsALineOfJSON() throws {
        let records = try made()
        records.release()
        records.note(.quarantined, .bytes(12), .file("/store/quarantine/a\"b"), .flag(.wasHeld, true))
        records.close()
        let line = try #require(try lines().first)
        #expect(line.hasPrefix(#"{"time":""#))
        #expect(
            line.contains(
                #""message":"bytes were cut off the end of the log, and are kept in quarantine: bytes 12, file quarantine/a\"b, wasHeld true","bytes":12,"file":"quarantine/a\"b","wasHeld":true}"#
            ), "\(line)")
        #expect(line.contains(#""level":"notice","category":"store","kind":"quarantined","opening":""#))
    }

    @Test func whatTakesTimeHasABeginningAndAnEnd() throws {
        let records = try made()
        records.release()
        records.measure(.compaction) { span in span.fields.append(.bytes(7)) }
        #expect(throws: StoreError.self) {
            try records.measure(.trim) { _ in throw StoreError(.denied, "'a title' is in the way") }
        }
        records.close()
        let lines = try lines()
        #expect(lines.count == 4)
        #expect(lines[0].contains(#""kind":"compaction","phase":"begin","span":1,"#))
        #expect(lines[1].contains(#""phase":"end","span":1,"#) && lines[1].contains(#""milliseconds":"#))
        #expect(lines[3].contains(#""level":"error""#) && lines[3].contains(#""error":"denied""#))
        #expect(!lines[3].contains("a title"))
    }

    @Test func nothingIsWrittenBeforeThereIsAStore() throws {
        let records = try made()
        records.note(.recovered)
        records.close()
        #expect(try environment.fileSystem.list("/store").isEmpty)
    }

    @Test func whatMattersLessThanAskedForIsNotWritten() throws {
        let records = try made { $0.level = .notice }
        records.release()
        records.measure(.compaction) { _ in }
        records.note(.recovered)
        records.close()
        #expect(try lines().count == 1)
    }

    /// While the disk takes nothing, so many records wait, and the others are counted; the count is told before what comes next.
    @Test func recordsThatFindNoRoomAreCountedAndToldLater() throws {
        let disk = SimulatedFileSystem()
        try disk.createDirectories("/store")
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        var options = RecordOptions()
        options.waiting = 4
        let records = RecordLog(layout, in: environment, options)
        for _ in 0..<10 { records.note(.recovered) }
        #expect(records.lost == 6)
        records.release()
        records.close()
        let lines = try RecordText.lines(in: layout.logs, disk)
        #expect(lines.count == 5)
        #expect(lines[0].contains(#""kind":"recordsLost""#) && lines[0].contains(#""records":6"#))
    }

    @Test func whatAFullDiskRefusedIsCountedAndToldLater() async throws {
        let disk = SimulatedFileSystem()
        try disk.createDirectories("/store")
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let records = RecordLog(layout, in: environment, RecordOptions())
        records.release()
        disk.inject(Fault(at: 0, of: .write, with: .diskFull, sticky: true, effect: .writesPrefix(40)))
        records.note(.recovered)
        try await waitUntil { records.lost == 1 }
        records.note(.recovered)
        try await waitUntil { records.lost == 2 }
        disk.clearFaults()
        records.note(.newReplica)
        records.close()
        let lines = try RecordText.lines(in: layout.logs, disk)
        #expect(lines.count == 2, "\(lines)")
        #expect(lines[0].contains(#""records":2"#) && lines[0].contains(#""error":"storage""#))
        #expect(lines[0].contains(#""cause":"diskFull""#))
        #expect(lines[1].contains(#""kind":"newReplica""#))
    }

    /// Whichever call fails, noting and closing do not, and what can be read is whole lines.
    @Test func noFailureReachesWhoNotes() throws {
        let initial = SimulatedFileSystem()
        try initial.createDirectories("/store")
        let tried = try forEachFailure(from: initial) { disk in
            let records = RecordLog(layout, in: Environment.simulated(seed: 2, fileSystem: disk), RecordOptions())
            for _ in 0..<3 { records.note(.recovered) }
            records.release()
            records.close()
        } verify: { disk, _ in
            disk.clearFaults()
            let records = RecordLog(layout, in: Environment.simulated(seed: 3, fileSystem: disk), RecordOptions())
            records.note(.newReplica)
            records.release()
            records.close()
            let lines = try RecordText.lines(in: layout.logs, disk)
            #expect(lines.last?.contains("newReplica") ?? false)
            for line in lines { #expect(line.hasPrefix("{") && line.hasSuffix("}")) }
        }
        #expect(tried > 10)
    }
}
