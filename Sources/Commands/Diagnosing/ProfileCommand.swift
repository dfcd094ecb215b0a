import EventLog
import Interchange
import Projection
import Strandline

/// Runs another command and tells what it took.
struct ProfileCommand: Command {
    let name = "profile"
    let summary = "run a command and tell its time by stage, its peak memory, bytes read and written, and flushes"
    let usage = """
        usage: strandline profile [--json] COMMAND STORE [ARGUMENTS]

        Runs a command of strandline in a process of its own, and tells what it took: seconds, the most memory it held (RssAnon and
        RssShmem, and VmHWM with mapped files), bytes read from and written to the disk, and, from what it recorded in STORE, how long each stage
        took and how often the log was flushed. What the command prints comes first, or, with --json, as "output".
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let command = arguments.rest()
        let json = command.first == "--json"
        let words = Array(json ? command.dropFirst() : command[...])
        guard words.count >= 2 else { throw CommandError.usage("COMMAND and STORE are missing") }
        guard words[0] != name, !words[0].hasPrefix("-") else {
            throw CommandError.usage("COMMAND is none that can be profiled")
        }
        let store = words[1]
        var tail = try? RecordTail(store)
        try tail?.skip()
        let figures = try MeasuredProcess.run(words)
        if tail == nil { tail = try? RecordTail(store) }
        let stages = Self.stages(try tail?.next() ?? [])
        if json { return terminal.json(Self.json(figures, stages)) }
        if !figures.output.isEmpty {
            terminal.data(figures.output.hasSuffix("\n") ? String(figures.output.dropLast()) : figures.output)
        }
        terminal.data("seconds      \(figures.seconds)")
        terminal.data(
            "memory       \(ProgressLine.bytes(figures.peakKiB << 10)), with mapped files \(ProgressLine.bytes(figures.residentKiB << 10))"
        )
        terminal.data("read         \(ProgressLine.bytes(figures.bytesRead))")
        terminal.data("written      \(ProgressLine.bytes(figures.bytesWritten))")
        for stage in stages {
            terminal.data(
                "stage        \(stage.name), \(stage.milliseconds) ms\(stage.flushes.map { ", \($0) flushes" } ?? "")")
        }
    }

    private struct Stage {
        let name: String
        let milliseconds: Double
        let flushes: Int64?
    }

    /// What has a beginning and an end among the records of a process, in the order of the ends.
    private static func stages(_ records: [ShownRecord]) -> [Stage] {
        records.compactMap { record in
            guard record["phase"] == "end" || record["phase"] == "failed", let kind = record["kind"] else { return nil }
            guard case .double(let milliseconds)? = record.values["milliseconds"] else { return nil }
            var flushes: Int64?
            if case .int(let count)? = record.values["flushes"] { flushes = count }
            return Stage(name: kind, milliseconds: milliseconds, flushes: flushes)
        }
    }

    private static func json(_ figures: MeasuredProcess.Figures, _ stages: [Stage]) -> JSONValue {
        .object([
            JSONMember("seconds", .number(figures.seconds)),
            JSONMember("peakMemoryKiB", .integer(Int64(clamping: figures.peakKiB))),
            JSONMember("peakResidentKiB", .integer(Int64(clamping: figures.residentKiB))),
            JSONMember("bytesRead", .integer(Int64(clamping: figures.bytesRead))),
            JSONMember("bytesWritten", .integer(Int64(clamping: figures.bytesWritten))),
            JSONMember(
                "stages",
                .array(
                    stages.map { stage in
                        .object([
                            JSONMember("stage", .string(stage.name)), JSONMember("milliseconds", .number(stage.milliseconds)),
                            JSONMember("flushes", stage.flushes.map { .integer($0) } ?? .null),
                        ])
                    })), JSONMember("output", .string(figures.output)),
        ])
    }
}
