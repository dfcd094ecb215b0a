import Foundation
import Simulation
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program built beside this test bundle, running with its output in files.
final class ChildProcess {
    private let process = Process()
    private let ended: AsyncStream<Void>
    private let output: URL
    private let talk: URL

    /// Where the programs are; nil with a printed reason when `swift build` has not made one.
    static func path(of program: String) -> String? {
        let bundle = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var directory = bundle.deletingLastPathComponent()
        while directory.path != "/" {
            let path = directory.appending(path: program).path
            if FileManager.default.isExecutableFile(atPath: path), !path.hasSuffix("/Sources/\(program)") { return path }
            directory.deleteLastPathComponent()
        }
        print("skipped: there is no program \(program) beside \(bundle.path)")
        return nil
    }

    /// Starts a program with arguments; `directory` takes its output.
    init(_ path: String, _ arguments: [String], in directory: String) throws {
        let base = URL(filePath: directory).appending(path: UUID().uuidString)
        output = base.appendingPathExtension("out")
        talk = base.appendingPathExtension("talk")
        for file in [output, talk] { try Data().write(to: file) }
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: talk)
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        self.ended = ended
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
    }

    /// What it has printed so far.
    func text() throws -> String { String(decoding: try Data(contentsOf: output), as: UTF8.self) }

    /// What it has said so far.
    func said() throws -> String { String(decoding: try Data(contentsOf: talk), as: UTF8.self) }

    /// The whole lines that it has printed so far.
    func lines() throws -> [Substring] {
        var lines = try text().split(separator: "\n", omittingEmptySubsequences: false)
        // The last is empty, or was being written.
        lines.removeLast()
        return lines
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for its end; its exit code, or the negated signal that ended it.
    func wait() async -> Int32 {
        for await _ in ended {}
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Waits until it has printed as many lines.
    func waitUntilPrinted(_ count: Int) async throws { try await waitUntil { try lines().count >= count } }

    /// Waits until it has said `sentence`.
    func waitUntilSaid(_ sentence: String) async throws {
        do { try await waitUntil { try said().contains(sentence) } } catch {
            Issue.record("it did not say '\(sentence)' but '\(try said())': \(error)")
        }
    }
}
