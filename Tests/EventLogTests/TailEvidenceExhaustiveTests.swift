import EventLog
import Simulation
import Storage
import Testing

/// A flipped bit at every byte, and every length, of every file of a store: the same data, or a refusal that names the file.
@Suite struct TailEvidenceExhaustiveTests {
    #if DEBUG
    private static let step = 211
    #else
    private static let step = 1
    #endif

    /// What the damaged stores were found to be.
    private struct Tally {
        var same = 0, shorter = 0, refused = 0, refusedInReading = 0
    }

    private struct Victim {
        let disk: SimulatedFileSystem
        let entries: [LogVerifier.Entry]
        /// How many transactions of the last group may be missing.
        let lastGroup: Int
        let isClosed: Bool
        let files: [String]
    }

    private func environment(_ disk: SimulatedFileSystem) -> Environment {
        Environment.simulated(seed: 1).rebooted(fileSystem: disk, seed: 3)
    }

    private func store(isClosed: Bool) throws -> Victim {
        let disk = SimulatedFileSystem()
        var environment = Environment.simulated(seed: 1, fileSystem: disk)
        let sizes = LogSizes(smallestSegment: 20 << 10, largestSegment: 20 << 10, stagingThreshold: (1 << 20) + 500)
        let log = try EventLog.create(at: LogScript.path, in: environment, sizes: sizes)
        environment.random = SeededRandom(seed: 2)
        let script = LogScript()
        for group in [[[100], [50]], [[2000]], [[400, 300, 200]], [[900], [30]]] { try script.commit(group, to: log) }
        let entries = try LogVerifier.entries(log)
        if isClosed { try log.close() } else { disk.killProcess() }
        var files: [String] = []
        for directory in ["", "/log", "/staged"] {
            let path = LogScript.path + directory
            files += try disk.list(path).map { "\(path)/\($0)" }.filter { try disk.attributes(of: $0)?.isDirectory == false }
        }
        return Victim(
            disk: disk.crash(keeping: .all), entries: entries, lastGroup: 2, isClosed: isClosed,
            files: files.filter { !$0.hasSuffix("/SHARED") })
    }

    /// Opens a damaged store and reads it.
    ///
    /// Anything but the same data, a tail cut as it may be, or a refusal is thrown.
    private func judge(
        _ disk: SimulatedFileSystem, _ victim: Victim, mayLose: Int, isCut: Bool = false, _ tally: inout Tally
    ) throws {
        let log: EventLog
        do throws(LogError) {
            log = try EventLog.open(at: LogScript.path, in: environment(disk))
        } catch {
            guard [LogError.Code.corrupt, .unsupportedVersion, .notAStore].contains(error.code), error.path != nil else {
                throw error
            }
            tally.refused += 1
            return
        }
        let entries: [LogVerifier.Entry]
        do {
            entries = try LogVerifier.entries(log)
        } catch let error as LogError where error.code == .corrupt && error.path != nil {
            tally.refusedInReading += 1
            return
        }
        let lost = victim.entries.count - entries.count
        guard lost >= 0, lost <= mayLose, entries == Array(victim.entries.prefix(entries.count)) else {
            throw LogVerifier.Wrong(
                description: "\(entries.count) of \(victim.entries.count) transactions, tail \(log.recovery.tail)")
        }
        if victim.isClosed {
            guard log.recovery.tail == .clean || log.recovery.tail == .junk else {
                throw LogVerifier.Wrong(description: "a closed store was found \(log.recovery.tail)")
            }
        } else if lost > 0 {
            // Of a file that was cut nothing need be left to keep.
            guard log.recovery.tail == .torn || log.recovery.tail == .uncertain, isCut || log.recovery.quarantined != nil,
                log.recovery.newReplica != nil
            else {
                throw LogVerifier.Wrong(description: "a loss was not reported: \(log.recovery)")
            }
        }
        if lost == 0 { tally.same += 1 } else { tally.shorter += 1 }
    }

    private func flip(_ path: String, _ offset: Int, in disk: SimulatedFileSystem) throws {
        let file = try disk.open(path, .readWrite)
        defer { file.close() }
        var byte = try file.bytes(at: UInt64(offset), count: 1)
        byte[0] ^= 1 << UInt8(offset % 8)
        try file.write(byte.span, at: UInt64(offset))
    }

    @Test(arguments: [true, false]) func everyFlippedBitIsHarmlessOrFound(_ isClosed: Bool) throws {
        let victim = try store(isClosed: isClosed)
        #expect(victim.files.count >= 6)
        var tally = Tally()
        for path in victim.files {
            let size = Int(try victim.disk.attributes(of: path)?.size ?? 0)
            for offset in stride(from: size % Self.step, to: size, by: Self.step) {
                let disk = victim.disk.clone(sameIdentity: true)
                try flip(path, offset, in: disk)
                do {
                    try judge(disk, victim, mayLose: isClosed ? 0 : victim.lastGroup, &tally)
                } catch {
                    Issue.record("bit \(offset % 8) of byte \(offset) of \(path): \(error)")
                }
            }
        }
        #expect(tally.same > 10 && tally.refused > 0 && tally.refusedInReading > 0)
        print("flipped bits, closed \(isClosed): \(tally)")
    }

    @Test(arguments: [true, false]) func everyLengthIsHarmlessOrFound(_ isClosed: Bool) throws {
        let victim = try store(isClosed: isClosed)
        var tally = Tally()
        for path in victim.files {
            let size = Int(try victim.disk.attributes(of: path)?.size ?? 0)
            for length in stride(from: 0, to: size, by: Self.step) {
                let disk = victim.disk.clone(sameIdentity: true)
                let file = try disk.open(path, .readWrite)
                try file.truncate(to: UInt64(length))
                file.close()
                do {
                    // Nothing proves what the last segment held of a store that was never closed, but that it was cut shows.
                    try judge(disk, victim, mayLose: isClosed ? 0 : victim.entries.count, isCut: true, &tally)
                } catch {
                    Issue.record("\(path) cut to \(length) bytes: \(error)")
                }
            }
        }
        #expect(tally.same > 0 && tally.refused > 0)
        print("lengths, closed \(isClosed): \(tally)")
    }
}
