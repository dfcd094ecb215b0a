import SampleModel
import Storage
import Strandline
import Synchronization

func openStore(_ environment: Environment = .inMemory()) async throws -> Store {
    try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
}

/// Numbers that were reported, in order.
final class Steps: Sendable {
    private let state = Mutex<[Int]>([])
    var values: [Int] { state.withLock { $0 } }
    func add(_ value: Int) { state.withLock { $0.append(value) } }
}

/// Runs `body` with the path of a directory of its own on the real file system, removed afterwards.
func withTemporaryDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let files = POSIXFileSystem()
    let path = "/tmp/strandline-\(Digest128.hex(SystemRandom().next()))"
    try files.createDirectory(path)
    defer { try? files.removeTree(path) }
    return try await body(path)
}
