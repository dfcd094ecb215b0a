import Simulation
import Storage
import Testing

/// The adapters of the file-system seam, each with an empty directory to work in.
enum Adapter: String, CaseIterable, CustomTestStringConvertible {
    case posix, inMemory, simulated

    var testDescription: String { rawValue }

    func run<Result>(_ body: (any FileSystem, String) throws -> Result) throws -> Result {
        switch self {
        case .posix: return try withTemporaryDirectory { try body(POSIXFileSystem(), $0) }
        case .inMemory:
            let files = InMemoryFileSystem()
            try files.createDirectory("/work")
            return try body(files, "/work")
        case .simulated:
            let files = SimulatedFileSystem()
            try files.createDirectory("/work")
            return try body(files, "/work")
        }
    }
}

/// Runs `body` with the path of a directory of its own on the real file system, removed afterwards.
func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    let files = POSIXFileSystem()
    let path = "/tmp/strandline-\(Digest128.hex(SystemRandom().next()))"
    try files.createDirectory(path)
    defer { try? files.removeTree(path) }
    return try body(path)
}
