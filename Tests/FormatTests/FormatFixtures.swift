import Foundation
import Storage

/// Where the golden stores lie, and what each of them must say.
enum FormatFixtures {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
    static let root = tests + "/Fixtures/format-v1-draft"
    private static let files = Environment.system.fileSystem

    /// Set to write the fixtures instead of checking them.
    static var isWriting: Bool { ProcessInfo.processInfo.environment["STRANDLINE_WRITE_FIXTURES"] == "1" }

    static func store(_ name: String) -> String { "\(root)/\(name)/store" }

    static func expected(_ name: String) throws -> String {
        String(decoding: try files.readWhole("\(root)/\(name)/expected.txt", limit: 1 << 20), as: UTF8.self)
    }

    /// Replaces a fixture.
    static func write(_ name: String, _ contents: StoreFiles, expected: String) throws {
        try files.removeTree(store(name))
        try contents.write(to: store(name), in: files)
        try StoreFiles(["expected.txt": Array(expected.utf8)]).writeFiles(to: "\(root)/\(name)", in: files)
    }
}
