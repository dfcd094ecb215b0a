import EventLog
import Storage
import SyncProtocol

/// Puts files and folders with arbitrary names into a shared folder, and into the subfolder of a replica there: a name a line.
///
/// Whatever they are called, an exchange passes over them, and touches nothing outside of the folder.
private let scene = Scene()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    scene.offer(String(decoding: input.prefix(4_096), as: UTF8.self))
    return 0
}

private struct Scene {
    private let dataset: DatasetID

    init() {
        do { dataset = try EventLog.create(at: "/store", in: .inMemory()).dataset } catch {
            preconditionFailure("there is no scene: \(error)")
        }
    }

    func offer(_ text: String) {
        let files = InMemoryFileSystem()
        var environment = Environment.inMemory()
        environment.fileSystem = files
        do {
            let log = try EventLog.create(at: "/store", in: environment, dataset: dataset)
            let origin = ReplicaID(Digest128(high: 3, low: 4))
            let places = [
                "/shared", "/shared/\(log.dataset)", "/shared/\(log.dataset)/r", "/shared/\(log.dataset)/r/\(origin)",
            ]
            try files.createDirectories(places[3])
            for (number, line) in text.split(separator: "\n").prefix(16).enumerated() {
                let name = String(decoding: line.utf8.map { $0 == 0 || $0 == UInt8(ascii: "/") ? 95 : $0 }, as: UTF8.self)
                guard !name.isEmpty, name != ".", name != "..", name.utf8.count < 255 else { continue }
                let path = "\(places[number % 4])/\(name)"
                guard try files.attributes(of: path) == nil else { continue }
                if number % 5 == 4 { try files.createDirectory(path) } else { try files.replace(path, with: Array(line.utf8)) }
            }
            let blobs = BlobStore(StoreLayout(root: "/store"), in: environment, concurrently: false)
            var exchange = FolderExchange("/shared", log: log, blobs: blobs, in: environment)
            let report = try exchange.receive()
            precondition(report.imported.transactions == 0 && log.durableState.position.lastLSN == 0, "a forgery was taken")
            let roots = try files.list("/").sorted()
            precondition(roots == ["shared", "store"], "something was made elsewhere: \(roots)")
        } catch {
            preconditionFailure("a name stops the exchange: \(error)")
        }
    }
}
