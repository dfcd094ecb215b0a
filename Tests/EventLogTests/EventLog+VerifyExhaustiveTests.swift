import EventLog
import Simulation
import Storage
import Testing

/// Each bit, each length and each file of a small store: verifying finds whatever is changed.
@Suite struct EventLogVerifyExhaustiveTests {
    #if DEBUG
    private static let step = 401
    #else
    private static let step = 1
    #endif

    /// A store with segments sealed and given up, a stage file, a blob, a hold and a fork; closed.
    ///
    /// Nothing of it is exempt but SHARED, which means nothing after a reboot, and what lies behind the end of a segment
    /// that was given up: that is no part of the log.
    private func store() throws -> (disk: SimulatedFileSystem, files: [String], exempt: [String: Range<UInt64>]) {
        let disk = SimulatedFileSystem()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let sizes = LogSizes(smallestSegment: 20 << 10, largestSegment: 20 << 10, stagingThreshold: (1 << 20) + 500)
        var log = try EventLog.create(at: LogScript.path, in: environment, sizes: sizes)
        let script = LogScript()
        for group in [[[100], [50]], [[2000]], [[400, 300, 200]], [[900], [30]]] { try script.commit(group, to: log) }
        let blob = try BlobStore(StoreLayout(root: LogScript.path), in: environment, concurrently: false).write(
            [UInt8](repeating: 1, count: 66_000))
        try LogScript.write([blob], to: log)
        // A tail that a crash tore.
        let torn = disk.crash(keeping: .all)
        let last = try torn.list(LogScript.path + "/log").last.map { "\(LogScript.path)/log/\($0)" } ?? ""
        let end = log.durableState.position.offset
        try torn.open(last, .readWrite).write([UInt8](repeating: 5, count: 100).span, at: end)
        var next = environment.rebooted(fileSystem: torn, seed: 8)
        log = try EventLog.open(at: LogScript.path, in: next, sizes: sizes)
        #expect(log.recovery.quarantined != nil)
        try script.commit([[700]], to: log)
        try log.close()
        next = next.rebooted(fileSystem: torn, seed: 9)
        var files: [String] = []
        var pending = [LogScript.path]
        while let directory = pending.popLast() {
            for name in try torn.list(directory) {
                let path = "\(directory)/\(name)"
                if try torn.attributes(of: path)?.isDirectory == true { pending.append(path) } else { files.append(path) }
            }
        }
        files.removeAll { $0.hasSuffix("/SHARED") || $0.contains("/quarantine/") || $0.hasSuffix("/NEXT") }
        return (torn.crash(keeping: .all), files.sorted(), [last: end..<(try torn.attributes(of: last)?.size ?? end)])
    }

    private func findings(_ disk: SimulatedFileSystem) throws -> LogVerification {
        try EventLog.verify(at: LogScript.path, in: Environment.simulated(seed: 1).rebooted(fileSystem: disk, seed: 3))
    }

    @Test func everyFlippedBitIsFound() throws {
        let (disk, files, exempt) = try store()
        let healthy = try findings(disk)
        #expect(healthy.isSound && files.count >= 9, "\(healthy.problems)")
        var (problems, notes, exempted) = (0, 0, 0)
        for path in files {
            let size = Int(try disk.attributes(of: path)?.size ?? 0)
            // A blob is one hash; its bytes need not be tried one by one.
            let step = path.contains("/blobs/") ? Self.step * 997 : Self.step
            for offset in stride(from: min(7, size), to: size, by: step) {
                let copy = disk.clone(sameIdentity: true)
                let file = try copy.open(path, .readWrite)
                let byte = try file.bytes(at: UInt64(offset), count: 1)[0]
                try file.write([byte ^ 1 << UInt8(offset % 8)].span, at: UInt64(offset))
                let found = try findings(copy)
                if exempt[path]?.contains(UInt64(offset)) == true {
                    exempted += 1
                    #expect(found.problems == healthy.problems)
                } else if !found.isSound {
                    problems += 1
                    #expect(found.problems.contains { $0.path == path }, "byte \(offset) of \(path): \(found.problems)")
                } else if found.notes.contains(where: { $0.path == path && $0.offset.map { $0 <= UInt64(offset) } ?? true }) {
                    notes += 1
                } else {
                    Issue.record("bit \(offset % 8) of byte \(offset) of \(path) was not found")
                }
            }
        }
        #expect(problems > 0 && notes > 0)
        print("flipped bits: \(problems) problems, \(notes) notes, \(exempted) exempt")
    }

    @Test func everyLengthIsFound() throws {
        let (disk, files, exempt) = try store()
        var (problems, others) = (0, 0)
        for path in files {
            let size = Int(try disk.attributes(of: path)?.size ?? 0)
            let step = path.contains("/blobs/") ? Self.step * 997 : Self.step
            for length in stride(from: 0, to: size, by: step) {
                let copy = disk.clone(sameIdentity: true)
                let file = try copy.open(path, .readWrite)
                // Zeros, or what is exempt, may be cut off: nothing is lost.
                let tail = try file.bytes(at: UInt64(length), count: size - length)
                let from = exempt[path]?.lowerBound ?? .max
                let isNothing = tail.enumerated().allSatisfy { $1 == 0 || UInt64(length + $0) >= from }
                try file.truncate(to: UInt64(length))
                let found = try findings(copy)
                // A frame may end in zeros of its own: cut there, it is damaged all the same.
                let isInFrame = found.problems.allSatisfy { problem in
                    problem.path == path && (problem.offset.map { $0 < UInt64(length) && UInt64(length) < $0 + 4_096 } ?? false)
                }
                if found.isSound != isNothing, !isNothing || !isInFrame {
                    Issue.record("\(path) cut to \(length) bytes: \(found.problems) \(found.notes)")
                }
                if isNothing { others += 1 } else { problems += 1 }
            }
        }
        print("lengths: \(problems) problems, \(others) without loss")
        #expect(problems > 0)
    }

    @Test func everyRemovedFileIsFound() throws {
        let (disk, files, _) = try store()
        for path in files {
            let copy = disk.clone(sameIdentity: true)
            try copy.remove(path)
            let found = try findings(copy)
            if path.contains("/blobs/") {
                #expect(found.isSound && found.blobsElsewhere == 1)
            } else {
                #expect(!found.isSound, "\(path) is gone, and nobody missed it")
            }
        }
    }
}
