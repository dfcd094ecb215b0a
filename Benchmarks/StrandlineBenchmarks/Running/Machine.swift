import Foundation

/// Where the figures were measured.
struct Machine: Codable, Sendable {
    var processor = ""
    var cores = ProcessInfo.processInfo.activeProcessorCount
    var memoryGiB = Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)
    var system = ProcessInfo.processInfo.operatingSystemVersionString
    var kernel = ""
    var fileSystem = ""
    var compiler = Self.swiftVersion
    var date = ISO8601DateFormatter().string(from: Date())

    /// - Parameter directory: where the stores are made.
    init(directory: String) {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        processor =
            lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
            ?? "unknown"
        kernel =
            (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
        fileSystem = Self.mount(of: directory)
    }

    private static var swiftVersion: String {
        #if compiler(>=6.4)
        "Swift 6.4 or later"
        #elseif compiler(>=6.3)
        "Swift 6.3"
        #else
        "Swift 6.2"
        #endif
    }

    /// Device and type of the file system that holds a path.
    private static func mount(of path: String) -> String {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        var best: (point: Substring, text: String) = ("", "unknown")
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 3, path.hasPrefix(fields[1]), fields[1].count >= best.point.count else { continue }
            best = (fields[1], "\(fields[2]) (\(fields[3].prefix(60)))")
        }
        return best.text
    }
}
