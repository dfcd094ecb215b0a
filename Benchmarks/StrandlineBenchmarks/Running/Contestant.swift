import Foundation

/// Who takes part in a line: a work of ours, or a peer's driver, each in a process of its own.
struct Contestant: Sendable {
    /// As the table names it.
    let label: String
    let isOurs: Bool
    /// `drive` and the name of our work, or the peer's program and its work.
    let arguments: [String]
    /// Not the size of the line but a part of it, for those that would take too long; said in the table.
    var share = 1.0
    /// Does something that the goal is measured against.
    var isReference = false
    /// Takes part only when everything is asked for.
    var isLong = false

    static func ours(
        _ label: String, _ work: any Work.Type, share: Double = 1, isReference: Bool = false, isLong: Bool = false
    ) -> Contestant {
        Contestant(
            label: label, isOurs: true, arguments: ["drive", work.name], share: share, isReference: isReference, isLong: isLong)
    }

    static func peer(
        _ name: String, _ work: String, label: String? = nil, _ options: [String] = [], share: Double = 1,
        isReference: Bool = false
    ) -> Contestant {
        Contestant(
            label: label ?? name, isOurs: false, arguments: ["peer-\(name)", work] + options, share: share,
            isReference: isReference)
    }

    /// The file this process runs from.
    static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// Whether its driver was built.
    func isThere(in peers: String) -> Bool {
        isOurs || FileManager.default.isExecutableFile(atPath: "\(peers)/\(arguments[0])")
    }

    /// Runs it once in a fresh directory.
    ///
    /// - Throws: ``BenchmarkError`` with what the driver said when it fails.
    func run(in directory: String, peers: String, count: UInt64, options: [String]) throws -> Measurement {
        let counted = "\(peers)/run-counted"
        let isCounted = FileManager.default.isExecutableFile(atPath: counted)
        let program = isOurs ? Self.executable : "\(peers)/\(arguments[0])"
        let rest = isOurs ? arguments : Array(arguments.dropFirst())
        var command = [rest[0], isOurs ? rest[1] : directory]
        command += isOurs ? [directory] : []
        command += rest.dropFirst(isOurs ? 2 : 1) + ["--count", "\(count)"] + options
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: isCounted ? counted : program)
        process.arguments = isCounted ? [program] + command : command
        process.standardOutput = output
        try process.run()
        let line = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("\(label) failed: \(process.arguments?.joined(separator: " ") ?? program)")
        }
        return try JSONDecoder().decode(Measurement.self, from: line)
    }
}
