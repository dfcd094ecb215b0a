import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// Exchange files with every byte changed and of every length, as the replica that takes them sees them.
@Suite struct ExchangeReaderExhaustiveTests {
    #if DEBUG
    private static let stride = 41
    private static let masks: [UInt8] = [0x10]
    #else
    private static let stride = 1
    private static let masks: [UInt8] = [1, 0x80, 0xff]
    #endif

    private struct Scene {
        let shared: SimulatedFileSystem
        let file: String
        let bytes: [UInt8]
        let contents: [StoredPosition]
        let target: SimulatedFileSystem

        /// A file with two batches and a transaction of two parts between.
        init() throws {
            shared = try TestReplica.sharedDisk()
            let source = try TestReplica(1, over: shared)
            for _ in 0..<3 { try source.write(size: 80) }
            let builder = try source.log.begin(author: "parts")
            for number in 0..<2 {
                var part = ByteWriter()
                if number == 0 {
                    part.u8(0)
                    part.u64(builder.header.timestamp.rawValue)
                    part.string("parts")
                    part.count(0)
                } else {
                    part.u8(2)
                }
                part.zeros(3)
                try builder.add(part: part.bytes)
            }
            _ = try source.log.finish(builder)
            try source.log.flush()
            for _ in 0..<2 { try source.write(size: 200) }
            try source.sync()
            contents = try source.contents()
            file = try shared.exchangeFiles(source.log.dataset)[0]
            bytes = try shared.contents(of: file)
            let empty = try TestReplica(2, joining: source.log.dataset, over: shared)
            try empty.log.close()
            target = try #require(empty.environment.fileSystem as? SimulatedFileSystem)
        }

        /// What a replica makes of the file with these bytes.
        func receive(_ changed: [UInt8], as name: String? = nil) throws -> (report: ExchangeReport, got: [StoredPosition]) {
            let folder = shared.clone(sameIdentity: true)
            if let name {
                try folder.remove(file)
                try folder.put(changed, at: Path.join(Path.parent(of: file), name))
            } else {
                try folder.put(changed, at: file)
            }
            let replica = try TestReplica(
                3, opening: .simulated(seed: 2, fileSystem: target.clone(sameIdentity: true)), over: folder)
            let report = try replica.exchange.receive()
            let got = try replica.contents()
            try replica.log.close()
            #expect(try replica.leftovers().isEmpty)
            return (report, got)
        }
    }

    @Test func everyByteChanged() throws {
        let scene = try Scene()
        #expect(try scene.receive(scene.bytes).got == scene.contents)
        var reported = 0
        for offset in Swift.stride(from: 0, to: scene.bytes.count, by: Self.stride) {
            for mask in Self.masks {
                var changed = scene.bytes
                changed[offset] ^= mask
                let (report, got) = try scene.receive(changed)
                if report.skipped.isEmpty {
                    // Alignment is not looked at.
                    #expect(got == scene.contents, "byte \(offset) changed by \(mask)")
                } else {
                    reported += 1
                    #expect(got.isEmpty && report.skipped.count == 1 && report.skipped[0].path == scene.file)
                }
            }
        }
        #expect(reported > 10)
    }

    @Test func everyLength() throws {
        let scene = try Scene()
        for length in Swift.stride(from: 0, to: scene.bytes.count, by: Self.stride) {
            let (report, got) = try scene.receive(Array(scene.bytes.prefix(length)))
            #expect(got.isEmpty && report.skipped.count == 1, "\(length) bytes")
        }
        let (report, got) = try scene.receive(scene.bytes + [0])
        #expect(got.isEmpty && report.skipped.count == 1)
    }

    /// A name that claims other transactions than are there neither hides them nor makes them others.
    @Test func aNameThatLies() throws {
        let scene = try Scene()
        let name = scene.file.split(separator: "/").last.map(String.init) ?? ""
        for (from, to) in [("-0000000000000001-", "-0000000000000002-"), ("-0000000000000006-", "-0000000000000009-")] {
            let parts = name.components(from, to)
            let (report, got) = try scene.receive(scene.bytes, as: parts)
            if got.isEmpty { #expect(report.waiting == 1) } else { #expect(got == scene.contents && report.skipped.count == 1) }
        }
    }
}

extension String {
    /// With the first occurrence of `from` replaced.
    fileprivate func components(_ from: String, _ to: String) -> String {
        guard let range = firstRange(of: from) else { return self }
        return String(self[..<range.lowerBound]) + to + String(self[range.upperBound...])
    }
}
