import Storage

/// Runs `body` with the path of a directory of its own on the real file system, removed afterwards.
func withTemporaryDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let files = POSIXFileSystem()
    let path = "/tmp/strandline-\(Digest128.hex(SystemRandom().next()))"
    try files.createDirectory(path)
    defer { try? files.removeTree(path) }
    return try await body(path)
}

func write(_ text: String, to path: String) throws {
    let file = try POSIXFileSystem().open(path, .create)
    try file.write(Array(text.utf8).span, at: 0)
    file.close()
}
