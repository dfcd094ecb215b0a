// Invariant: every text that goes into the bundle has gone through `redaction`, and none of it is a value of a property.

import EventLog
import Interchange
import Storage
import Strandline

/// Collects what is to be known of a store in a directory that can be given to somebody else.
struct Diagnosis {
    let path: String
    let output: String
    private let files: any FileSystem
    private let redaction: Redaction
    private(set) var written: [(name: String, bytes: Int)] = []
    /// Parts that could not be had, and why.
    private(set) var failures: [(name: String, error: String)] = []

    init(of path: String, to output: String, _ files: any FileSystem = POSIXFileSystem()) {
        self.path = path
        self.output = output
        self.files = files
        redaction = Redaction(root: path)
    }

    /// Makes the directory.
    ///
    /// - Throws: ``CommandError`` when something is there already, or there is no store to look at.
    func begin() throws {
        guard try files.isDirectory(path), try files.attributes(of: StoreLayout(root: path).identity) != nil else {
            throw CommandError.failed("there is no store (\(path))")
        }
        if try files.attributes(of: output) != nil {
            guard try files.isDirectory(output), try files.list(output).isEmpty else {
                throw CommandError.failed("there is something already; name another place (\(output))")
            }
        }
        try files.createDirectory(output)
    }

    /// Writes one part; when it cannot be had, why.
    mutating func part(_ name: String, _ body: () async throws -> JSONValue) async throws {
        let value: JSONValue
        do {
            value = redaction.json(try await body())
        } catch {
            let sentence = redaction.text(Self.sentence(error))
            failures.append((name, sentence))
            value = .object([JSONMember("error", .string(sentence))])
        }
        try write(name, Array((value.text + "\n").utf8))
    }

    /// Copies the records.
    mutating func records() throws {
        let layout = StoreLayout(root: path)
        let names = try RecordFiles.names(in: layout.logs, files)
        try files.createDirectory(Path.join(output, "logs"))
        for name in names {
            var lines: [UInt8] = []
            do {
                let bytes = try files.readWhole(Path.join(layout.logs, name), limit: 64 << 20)
                for line in bytes.split(separator: UInt8(ascii: "\n")) { lines += redaction.line(Array(line)) ?? [] }
            } catch {
                failures.append(("logs/\(name)", redaction.text(error.description)))
                continue
            }
            try write("logs/" + name, lines)
        }
    }

    /// Says what the bundle is.
    mutating func about(_ text: String) throws { try write("README.txt", Array(text.utf8)) }

    private mutating func write(_ name: String, _ bytes: [UInt8]) throws {
        try files.replace(Path.join(output, name), with: bytes)
        written.append((name, bytes.count))
    }

    /// Sentences about files quote nothing of the user's; of others the code has to do.
    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as StoreError: error.underlying?.description ?? error.code.rawValue
        case let error as LogError: error.description
        case let error as StorageError: error.description
        default: "\(type(of: error))"
        }
    }
}
