import EventLog
import Foundation

/// The command line of `strandline-bench`.
package enum BenchmarkCommand {
    private static let usage = """
        usage: strandline-bench [--tiny] [--scale F] [--rounds N] [--only LINE,LINE] [--full] [--pause MS]
                                [--peers DIR] [--output DIR]
               strandline-bench report [--output DIR] [--page FILE]      the page and charts of the last results
               strandline-bench drive WORK DIRECTORY [options]           one run of one work of ours, as JSON

          --tiny    every line in seconds, to see that it works   --full     lines that take long, too
          --scale   1 for the full sizes (0.2)                    --rounds   runs of each contestant (5)
        """

    /// Returns the exit status.
    package static func run(_ arguments: [String]) async -> Int32 {
        do {
            switch arguments.first {
            case "drive": try await drive(Array(arguments.dropFirst()))
            case "report": try report(Array(arguments.dropFirst()))
            case "--help", "-h": print(usage)
            default: try measure(arguments)
            }
            return 0
        } catch let error as UsageError {
            FileHandle.standardError.write(Data("strandline-bench: \(error.description)\n\(usage)\n".utf8))
            return 64
        } catch {
            FileHandle.standardError.write(Data("\nstrandline-bench: \(error)\n".utf8))
            return 1
        }
    }

    private struct UsageError: Error {
        let description: String
    }

    private static func drive(_ arguments: [String]) async throws {
        guard arguments.count >= 2, let work = Works.named(arguments[0]) else {
            throw UsageError(description: "drive takes a work and a directory; works: \(Works.all.map { $0.name })")
        }
        var run = RunOptions(contestant: "strandline", work: arguments[0], directory: arguments[1], count: work.count)
        var rows: UInt64?
        try parse(Array(arguments.dropFirst(2))) { flag, value in
            switch flag {
            case "--count": run.count = try number(flag, value())
            case "--batch": run.batch = try number(flag, value())
            case "--tasks": run.tasks = try number(flag, value())
            case "--rows": rows = try number(flag, value())
            case "--queries": run.queries = try number(flag, value())
            case "--killed": run.isKilled = true
            case "--unchecked": run.isChecked = false
            case "--size": run.size = try number(flag, value())
            case "--seed": run.workload.seed = try number(flag, value())
            case "--incompressible": run.workload.isIncompressible = true
            case "--sequential": run.workload.isSequential = true
            default: throw UsageError(description: "unknown option \(flag)")
            }
        }
        run.rows = rows ?? run.count
        let result = try await work.init().run(run)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        FileHandle.standardOutput.write(try encoder.encode(result) + Data("\n".utf8))
    }

    private static func measure(_ arguments: [String]) throws {
        var options = Runner.Options()
        try parse(arguments) { flag, value in
            switch flag {
            case "--tiny":
                options.isTiny = true
                options.isFull = true
                options.rounds = 1
            case "--full": options.isFull = true
            case "--scale": options.scale = try fraction(flag, value())
            case "--rounds": options.rounds = Int(try number(flag, value()))
            case "--only": options.only = Set(try value().split(separator: ",").map(String.init))
            case "--pause": options.pauseMilliseconds = UInt32(try number(flag, value()))
            case "--peers": options.peers = try value()
            case "--output": options.output = try value()
            default: throw UsageError(description: "unknown option \(flag)")
            }
        }
        let unknown = options.only.subtracting(Lineup.lines.map(\.id)).sorted()
        guard unknown.isEmpty else {
            throw UsageError(description: "no line \(unknown); lines: \(Lineup.lines.map(\.id).joined(separator: ", "))")
        }
        let results = try Runner(options).run()
        for section in results.sections {
            print("\n\(section.title)\n\(ReportTable(section).text)")
            for verdict in results.isTiny ? [] : Verdict.all(of: section) {
                print("\(verdict.isReached ? "reached" : "NOT REACHED")  \(verdict.text)")
            }
            if !section.absent.isEmpty { print("not run, for want of a driver: \(section.absent.joined(separator: ", "))") }
        }
        try save(results, in: options.output)
    }

    private static func save(_ results: Results, in directory: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(results).write(to: URL(fileURLWithPath: "\(directory)/results.json"))
        try write(results, page: "\(directory)/BENCHMARKS.md", charts: "\(directory)/charts", linked: "charts")
        print("\nresults, page and charts are in \(directory)")
    }

    private static func report(_ arguments: [String]) throws {
        var directory = "build/bench"
        var page = "docs/BENCHMARKS.md"
        try parse(arguments) { flag, value in
            switch flag {
            case "--output": directory = try value()
            case "--page": page = try value()
            default: throw UsageError(description: "unknown option \(flag)")
            }
        }
        let path = "\(directory)/results.json"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw BenchmarkError("\(path) is not there; run make bench first")
        }
        let results = try JSONDecoder().decode(Results.self, from: bytes)
        guard !results.isTiny else { throw BenchmarkError("\(path) is of a tiny run, which measures nothing; run make bench") }
        let folder = URL(fileURLWithPath: page).deletingLastPathComponent().relativePath
        try write(results, page: page, charts: "\(folder)/benchmarks", linked: "benchmarks")
    }

    private static func write(_ results: Results, page: String, charts: String, linked: String) throws {
        try FileManager.default.createDirectory(atPath: charts, withIntermediateDirectories: true)
        for section in results.sections {
            for figure in section.figures {
                let path = URL(fileURLWithPath: "\(charts)/\(BarChart.file(section, figure))")
                try BarChart(section, figure).svg.write(to: path, atomically: true, encoding: .utf8)
            }
        }
        try BenchmarksPage(results: results).markdown(charts: linked)
            .write(to: URL(fileURLWithPath: page), atomically: true, encoding: .utf8)
    }

    private static func parse(
        _ arguments: [String], _ take: (String, () throws -> String) throws -> Void
    ) throws {
        var rest = arguments[...]
        while let flag = rest.popFirst() {
            try take(flag) {
                guard let value = rest.popFirst() else { throw UsageError(description: "\(flag) takes a value") }
                return value
            }
        }
    }

    private static func number(_ flag: String, _ text: String) throws -> UInt64 {
        guard let value = UInt64(text) else { throw UsageError(description: "\(flag) takes a whole number, not '\(text)'") }
        return value
    }

    private static func fraction(_ flag: String, _ text: String) throws -> Double {
        guard let value = Double(text), value > 0 else {
            throw UsageError(description: "\(flag) takes a positive number, not '\(text)'")
        }
        return value
    }
}
