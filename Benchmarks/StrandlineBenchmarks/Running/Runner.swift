import Foundation

/// Runs the lines, contestants in turn: ours, each peer, ours again, each peer again.
struct Runner {
    struct Options: Sendable {
        var scale = 0.2
        var rounds = 5
        var isTiny = false
        /// Lines that take long, too.
        var isFull = false
        var only: Set<String> = []
        var pauseMilliseconds: UInt32 = 1000
        /// Where the peers' drivers are.
        var peers = "build/peers"
        /// Where results and, below it, the stores go.
        var output = "build/bench"
    }

    let options: Options
    private let directory: String

    init(_ options: Options) throws {
        self.options = options
        directory = "\(options.output)/data"
        try FileManager.default.createDirectory(atPath: options.output, withIntermediateDirectories: true)
    }

    func run() throws -> Results {
        let path = FileManager.default.currentDirectoryPath
        let scale = options.isTiny ? 0 : options.scale
        var results = Results(
            machine: Machine(directory: path), scale: scale, rounds: options.rounds, isTiny: options.isTiny, sections: [])
        for line in Lineup.lines where options.only.isEmpty ? !line.isLong || options.isFull : options.only.contains(line.id) {
            results.sections.append(try run(line))
        }
        return results
    }

    private func run(_ line: Line) throws -> Results.Section {
        var section = Results.Section(
            id: line.id, title: line.title, unit: line.unit, figures: line.figures, goals: line.goals, remark: line.remark,
            rows: [])
        let asked = line.contestants.filter { !$0.isLong || options.isFull }
        let present = asked.filter { $0.isThere(in: options.peers) }
        section.absent = asked.filter { !$0.isThere(in: options.peers) }.map(\.label)
        section.rows = present.map {
            Results.Row(
                label: $0.label, isOurs: $0.isOurs, isReference: $0.isReference, count: count($0, line),
                variant: $0.arguments.first { $0 == "--sequential" }, runs: [])
        }
        let rounds = min(options.rounds, line.mostRounds, line.contestants.count == 1 ? 3 : .max)
        for round in 0..<rounds {
            for (number, contestant) in present.enumerated() {
                note("\(line.id) \(round + 1)/\(rounds): \(contestant.label)")
                section.rows[number].runs.append(try run(contestant, line))
            }
        }
        note("")
        try ResultCheck(isGrouped: line.isGrouped).check(section)
        return section
    }

    private func count(_ contestant: Contestant, _ line: Line) -> UInt64 {
        if options.isTiny { return line.tiny }
        let scale = line.isScaled ? options.scale : 1
        return max(1, UInt64(Double(line.count) * scale * contestant.share))
    }

    private func run(_ contestant: Contestant, _ line: Line) throws -> Measurement {
        try? FileManager.default.removeItem(atPath: directory)
        // What the last run left to the device must not be this one's to wait for.
        usleep((options.isTiny ? 0 : options.pauseMilliseconds) * 1000)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let count = count(contestant, line)
        let rows = line.rowsPerOperation.map { ["--rows", "\(count * $0)"] } ?? []
        return try contestant.run(in: directory, peers: options.peers, count: count, options: line.options + rows)
    }

    private func note(_ text: String) {
        FileHandle.standardError.write(Data("\r\u{1b}[K\(text)".utf8))
    }
}
