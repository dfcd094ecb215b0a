import Foundation
import Storage
import Strandline

/// This program, running a command in a process of its own whose time and memory are taken.
final class MeasuredProcess {
    /// What a process took.
    struct Figures: Sendable {
        var seconds = 0.0
        /// RssAnon and RssShmem together, in KiB: what cannot be given back under a memory limit.
        ///
        /// Zero where the system does not tell.
        var peakKiB: UInt64 = 0
        /// VmHWM, in KiB: mapped files count as well.
        var residentKiB: UInt64 = 0
        /// What went from and to the disk, in bytes, as far as it was seen five milliseconds before its end.
        var bytesRead: UInt64 = 0
        var bytesWritten: UInt64 = 0
        var output = ""
    }

    private let process = Process()
    private let output = Pipe()
    private let began = Environment.system.clock.monotonic()
    private let memory: MemoryWatch
    private let command: String

    /// Starts it; what it says goes where this program's does.
    init(_ arguments: [String]) throws {
        command = arguments.first ?? ""
        process.executableURL = URL(filePath: Self.program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        memory = MemoryWatch(of: process.processIdentifier)
    }

    /// This program.
    private static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// Runs a command to its end.
    static func run(_ arguments: [String]) throws -> Figures { try MeasuredProcess(arguments).result() }

    /// Asks it to end.
    func terminate() { process.terminate() }

    /// Waits until something is at a path that it makes.
    func await(_ path: String) throws {
        while !FileManager.default.fileExists(atPath: path) {
            guard process.isRunning else { throw CommandError.failed("'strandline \(command)' ended before it was ready") }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    /// Waits for its end.
    ///
    /// - Parameter isEnded: whether it was told to end, so that a signal is no failure.
    func result(isEnded: Bool = false) throws -> Figures {
        var figures = Figures()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        figures.seconds = Double(Environment.system.clock.monotonic() - began) / 1e9
        let seen = memory.stop()
        (figures.peakKiB, figures.residentKiB) = (seen.anonymous, seen.resident)
        (figures.bytesRead, figures.bytesWritten) = (seen.read, seen.written)
        guard process.terminationStatus == 0 || isEnded else {
            throw CommandError.failed("'strandline \(command)' failed, as it said above; what was made until then is kept")
        }
        figures.output = String(decoding: data, as: UTF8.self)
        return figures
    }
}
