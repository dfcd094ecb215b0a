import EventLog
import Simulation
import Storage
import Testing

/// Parts of a transaction whose numbers are not those of their places, in a log whose checksums are all right.
@Suite struct FrameEventsTests {
    /// Gives parts of the only segment other numbers, and every frame the link that follows from it.
    private func renumber(_ disk: SimulatedFileSystem, _ number: (UInt64) -> UInt64) throws {
        let name = try disk.list(LogScript.path + "/log")[0]
        let file = try disk.open("\(LogScript.path)/log/\(name)", .readWrite)
        defer { file.close() }
        let bytes = try file.bytes(at: 0, count: Int(file.size()))
        let segment = try SegmentHeader(bytes, kind: .segment, path: name)
        var offset = 12_288
        var link: UInt64 = 0
        while var header = FrameHeader(bytes, at: offset, salt: segment.salt) {
            let start = offset + 64
            let end = start + Int(header.storedLength)
            var stored = Array(bytes[start..<end])
            if header.kind == .part {
                let body = try PartBody(try Frame(header: header, stored: stored[...]).body())
                let changed = PartBody(
                    origin: body.origin, sequence: body.sequence, number: number(body.number), isLast: body.isLast,
                    previousChain: body.previousChain, chain: body.chain, part: body.part)
                try #require(!header.isCompressed)
                stored = changed.encode()
                try #require(stored.count == end - start)
            }
            header.link = link
            header.bodyChecksum = Checksum.xxh3(stored.span)
            var writer = ByteWriter()
            header.append(to: &writer, salt: segment.salt)
            writer.raw(stored)
            try file.write(writer.bytes.span, at: UInt64(offset))
            link = header.checksum
            let alignment = header.flags.contains(.lastOfGroup) ? 4096 : 64
            offset = (end + alignment - 1) / alignment * alignment
        }
    }

    /// - Parameter rest: bytes written behind; many have an index at the end, so that opening reads nothing of this.
    private func log(rest: Int) throws -> (SimulatedFileSystem, Environment) {
        let disk = SimulatedFileSystem()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let log = try EventLog.create(at: LogScript.path, in: environment)
        let script = LogScript()
        try script.commit([[900, 700, 800]], to: log)
        for _ in 0..<rest / 100_000 { try script.commit([[100_000]], to: log) }
        try log.close()
        return (disk, environment)
    }

    private static let falseNumbers: [@Sendable (UInt64) -> UInt64] = [
        { $0 * 2 }, { $0 == 2 ? 3 : $0 }, { $0 == 2 ? 1 : $0 }, { $0 == 1 ? 5 : $0 }, { $0 == 1 ? 0 : $0 },
    ]

    @Test(arguments: Self.falseNumbers.indices) func openingRefusesThem(_ index: Int) throws {
        let (disk, environment) = try log(rest: 0)
        try renumber(disk) { $0 }
        #expect(try EventLog.open(at: LogScript.path, in: environment, mode: .readOnly).durableState.position.lastLSN == 1)
        try renumber(disk, Self.falseNumbers[index])
        let error = #expect(throws: LogError.self) { try EventLog.open(at: LogScript.path, in: environment) }
        #expect(error?.code == .corrupt && error?.path?.hasSuffix(".seg") == true && error?.offset != nil)
    }

    @Test(arguments: Self.falseNumbers.indices) func aReaderRefusesThem(_ index: Int) throws {
        let (disk, environment) = try log(rest: 400_000)
        try renumber(disk) { $0 }
        let sound = try EventLog.open(at: LogScript.path, in: environment, mode: .readOnly)
        #expect(try LogVerifier.entries(sound).count == 5)
        try renumber(disk, Self.falseNumbers[index])
        let log = try EventLog.open(at: LogScript.path, in: environment, mode: .readOnly)
        let error = #expect(throws: LogError.self) { try LogVerifier.entries(log) }
        #expect(error?.code == .corrupt && error?.path?.hasSuffix(".seg") == true)
    }
}
