import Foundation

/// A disk of its own for one test, which fails in the kernel when it is told to: see `failing-device.sh` beside this file.
package final class FailingDevice: Sendable {
    package struct Refused: Error, CustomStringConvertible {
        package let description: String
    }

    /// Where it is mounted.
    package var path: String { folder + "/disk" }
    private let folder: String

    /// Why there can be none on this machine; nil when there can.
    package static let obstacle: String? = {
        do {
            let said = try script(["check"])
            return said == "READY" ? nil : said
        } catch {
            return "\(error)"
        }
    }()

    /// A disk of 160 MB whose blocks can be made to fail.
    package convenience init() throws { try self.init(["make"]) }

    /// A disk of `size` bytes that never fails, but is soon full.
    package convenience init(size: Int) throws { try self.init(["small"], "\(size)") }

    private init(_ verb: [String], _ size: String...) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "strandline-\(UUID().uuidString)").path
        do {
            _ = try Self.script(verb + [folder] + size)
        } catch {
            _ = try? Self.script(["remove", folder])
            throw error
        }
    }

    /// From now on no block can be written that has not been, nor those of `file` from `offset` on, which must be zeros.
    package func fail(_ file: String, from offset: UInt64) throws { _ = try Self.script(["fail", folder, file, "\(offset)"]) }

    /// From now on all can.
    package func heal() throws { _ = try Self.script(["heal", folder]) }

    /// Unmounts it and mounts it again: only what the device has is left.
    ///
    /// Nothing on it may be open.
    package func remount() throws { _ = try Self.script(["remount", folder]) }

    /// Takes it away.
    package func remove() throws { _ = try Self.script(["remove", folder]) }

    /// Runs the script; its output without the last line break.
    private static func script(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments =
            [URL(filePath: #filePath).deletingLastPathComponent().appending(path: "failing-device.sh").path] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = said.trimmingCharacters(in: .whitespacesAndNewlines)
        guard process.terminationStatus == 0 else {
            throw Refused(description: "failing-device.sh \(arguments.joined(separator: " ")): \(line)")
        }
        return line
    }
}
