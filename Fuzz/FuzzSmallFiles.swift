import EventLog
import Storage
import SyncProtocol

/// Feeds contents whose checksum is right to the readers of small files.
///
/// They are the list of peers of a store, its manifest, and what a replica acknowledges or offers in a shared folder; the first byte of
/// the input chooses.
///
/// What cannot be read is refused with an error; what can be is bounded by the file.
private let scene = Scene()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let kind = input.first else { return 0 }
    scene.offer(kind, Array(input.dropFirst()))
    return 0
}

private struct Scene {
    func offer(_ kind: UInt8, _ contents: [UInt8]) {
        let files = InMemoryFileSystem()
        var environment = Environment.inMemory()
        environment.fileSystem = files
        func file(_ magic: String) -> [UInt8] { ChecksummedFile.encode(magic: magic) { $0.raw(contents) } }
        do {
            var log = try EventLog.create(at: "/store", in: environment)
            switch kind % 4 {
            case 0:
                try files.replace("/store/PEERS", with: file("STRDPRS1"))
                _ = try? log.peers
                _ = try? log.lapsedPeers
            case 1:
                try log.close()
                try files.replace("/store/MANIFEST", with: file("STRDMAN1"))
                guard let opened = try? EventLog.open(at: "/store", in: environment, mode: .readWrite) else { return }
                log = opened
                precondition(log.durableState.position.lastLSN == 0, "a manifest made transactions")
            default:
                let origin = ReplicaID(Digest128(high: 3, low: 4))
                let directory = "/shared/\(log.dataset)/r/\(origin)"
                try files.createDirectories(directory)
                let (one, digest) = (Digest128.hex(1), Digest128(high: 1, low: 2))
                if kind % 4 == 2 {
                    try files.replace("\(directory)/\(one).strdk", with: file("STRDACK1"))
                } else {
                    try files.replace("\(directory)/\(digest)-\(one).strdb", with: file("STRDBTB1"))
                    try files.replace("\(directory)/\(digest)-\(one)-\(one).strdp", with: file("STRDBPC1"))
                }
                let blobs = BlobStore(StoreLayout(root: "/store"), in: environment, concurrently: false)
                var exchange = FolderExchange("/shared", log: log, blobs: blobs, in: environment)
                let report = try exchange.receive()
                precondition(report.imported.transactions == 0 && log.durableState.position.lastLSN == 0, "a forgery was taken")
            }
        } catch {
            preconditionFailure("a small file stops what should go on: \(error)")
        }
    }
}
