import Foundation
import Storage

/// Runs the reader that follows SPEC.md alone.
enum SpecReader {
    private static let script = FormatFixtures.tests + "/SpecReader/strandline_reader.py"

    /// A Python 3 that has the packages lz4 and xxhash, or nil.
    static let python: String? = {
        let named = ProcessInfo.processInfo.environment["PYTHON"].map { [$0] } ?? []
        return (named + ["python3", "/usr/bin/python3"]).first { name in
            (try? run([name, "-c", "import lz4.block, xxhash"]))?.status == 0
        }
    }()

    /// Whether it can run; prints why not.
    static let isAvailable: Bool = {
        if python != nil { return true }
        print("SKIPPED: no python3 with the packages lz4 and xxhash (Debian: python3-lz4 python3-xxhash; or set PYTHON)")
        return false
    }()

    struct Output {
        var status: Int32
        var text: String
        var complaint: String
    }

    static func list(_ store: String) throws -> Output { try run([python ?? "python3", "-B", script, store]) }

    private static func run(_ arguments: [String]) throws -> Output {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let (output, complaint) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaint
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // What it complains about fits the pipe's buffer.
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let words = try complaint.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Output(
            status: process.terminationStatus, text: String(decoding: text, as: UTF8.self),
            complaint: String(decoding: words, as: UTF8.self))
    }
}
