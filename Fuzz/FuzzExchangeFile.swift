import EventLog
import Storage
import SyncProtocol

/// Feeds files of a shared folder to a store whose checksums are right and whose frames hold arbitrary bytes: the first byte of
/// the input is the type of the frame, the rest its body.
///
/// Nothing of them may get into the store, for none is of the chain that its name claims.
private let scene = Scene()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let type = input.first else { return 0 }
    scene.offer(type: type, body: Array(input.dropFirst()))
    return 0
}

private struct Scene {
    private let files = InMemoryFileSystem()
    private let environment: Environment
    private let log: EventLog
    private let origin = ReplicaID(Digest128(high: 3, low: 4))
    private let directory: String

    init() {
        var environment = Environment.inMemory()
        environment.fileSystem = files
        self.environment = environment
        do {
            log = try EventLog.create(at: "/store", in: environment)
            directory = "/shared/\(log.dataset)/r/\(origin)"
            try files.createDirectories(directory)
        } catch {
            preconditionFailure("there is no scene: \(error)")
        }
    }

    func offer(type: UInt8, body: [UInt8]) {
        let before = Chain.start(dataset: log.dataset, origin: origin)
        let after = Digest128(high: 5, low: 6)
        var frame = FrameHeader(.batch)
        frame.type = type
        (frame.storedLength, frame.logicalLength) = (UInt32(body.count), UInt32(body.count))
        frame.transactions = 1
        frame.bodyChecksum = Checksum.xxh3(body.span)
        var frames = ByteWriter()
        frame.append(to: &frames, salt: 9)
        frames.raw(body)
        var writer = ByteWriter()
        writer.raw(Array("STRDEXC1".utf8))
        writer.u16(1)
        writer.u16(0)
        writer.u32(0)
        for digest in [log.dataset.bits, origin.bits] { writer.digest(digest) }
        for sequence in [UInt64(1), 1] { writer.u64(sequence) }
        for chain in [before, after] { writer.digest(chain) }
        writer.u64(9)
        writer.u64(UInt64(128 + frames.count))
        writer.digest(Checksum.xxh3Wide(writer.bytes.span))
        writer.raw(frames.bytes)
        let one = Digest128.hex(1)
        do {
            try files.replace("\(directory)/\(origin)-\(one)-\(one)-\(before)-\(after).strdx", with: writer.bytes)
            let blobs = BlobStore(StoreLayout(root: "/store"), in: environment, concurrently: false)
            var exchange = FolderExchange("/shared", log: log, blobs: blobs, in: environment)
            let report = try exchange.receive()
            precondition(report.imported.transactions == 0 && log.durableState.position.lastLSN == 0, "a forgery was taken")
            precondition(report.skipped.count == 1, "a forgery was not reported")
        } catch {
            preconditionFailure("a forged file stops the exchange: \(error)")
        }
    }
}
