import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A work of ours in a process of its own, and the pipes to it.
struct DriveProcess {
    /// What it says when it may be told to begin.
    static let ready = "ready\n"

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ work: any Work.Type, _ options: RunOptions, _ more: [String] = []) throws {
        process.executableURL = URL(fileURLWithPath: Contestant.executable)
        process.arguments = ["drive", work.name, options.directory] + options.arguments + more
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Runs it to its end.
    @discardableResult
    static func run(_ work: any Work.Type, _ options: RunOptions, _ more: [String] = []) throws -> Measurement {
        try DriveProcess(work, options, more).result()
    }

    func awaitReady() throws {
        guard output.fileHandleForReading.availableData == Data(Self.ready.utf8) else {
            throw BenchmarkError("a process ended before it began: \(arguments)")
        }
    }

    func begin() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    }

    func result() throws -> Measurement {
        let line = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("a process failed: \(arguments)") }
        return try JSONDecoder().decode(Measurement.self, from: line)
    }

    /// Ends it at once, wherever it is; gives how many bytes it had said since it was ready.
    func kill() throws -> Int {
        guard sendSignal(process.processIdentifier, SIGKILL) == 0 else {
            throw BenchmarkError("a process ended before it was killed: \(arguments)")
        }
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationReason == .uncaughtSignal else {
            throw BenchmarkError("a process ended before it was killed: \(arguments)")
        }
        return said.count
    }

    private var arguments: String { process.arguments?.joined(separator: " ") ?? "" }
}

private func sendSignal(_ process: pid_t, _ signal: Int32) -> Int32 {
    #if canImport(Glibc)
    Glibc.kill(process, signal)
    #else
    Darwin.kill(process, signal)
    #endif
}
