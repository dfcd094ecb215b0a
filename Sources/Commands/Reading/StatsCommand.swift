import Interchange
import Strandline

/// Tells how a store lies on disk.
struct StatsCommand: Command {
    let name = "stats"
    let summary = "tell how a store lies on disk: log, runs, garbage, blobs"
    let usage = """
        usage: strandline stats STORE [--json]

        The bytes of the log and what a transaction takes of them on average; the runs of the projection with their rows, how many of
        them newer runs supersede, and what that comes to; blobs; objects by entity. What an open store spends its time on is in
        Store.statistics(), and in the records of 'log'.

          --json   one object
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let (info, statistics) = try await StoreAccess.reading(path, terminal) { store in
            (try await store.info(), try store.statistics())
        }
        if json { return terminal.json(Self.json(info, statistics)) }
        let rows = statistics.runs.reduce(0) { $0 + $1.rows }
        let bytes = statistics.runs.reduce(UInt64(0)) { $0 + $1.bytes }
        var lines = [
            ("log", "\(ProgressLine.bytes(info.logBytes)) in \(ProgressLine.counted(info.segments, "segment"))"),
            (
                "transactions",
                "\(ProgressLine.grouped(info.transactions)), \(ProgressLine.bytes(info.logBytes / max(1, info.transactions))) each"
            ),
            (
                "projection",
                "\(ProgressLine.bytes(bytes)) in \(ProgressLine.counted(statistics.runs.count, "run")), \(ProgressLine.grouped(UInt64(rows))) rows"
            ),
            ("superseded", "\(Int((statistics.garbage * 100).rounded())) % of the rows, which 'compact' removes"),
            ("in memory", "\(ProgressLine.bytes(UInt64(statistics.memoryBytes))) that are in no run yet"),
            ("blobs", "\(info.blobs), \(ProgressLine.bytes(info.blobBytes))"),
        ]
        for run in statistics.runs {
            lines.append(
                (
                    "run",
                    "\(ProgressLine.grouped(UInt64(run.rows))) rows, \(ProgressLine.bytes(run.bytes)), \(run.superseded) superseded"
                ))
        }
        for population in info.populations {
            lines.append(("objects", "\(ProgressLine.grouped(UInt64(population.objects))) \(population.entity)"))
        }
        for (name, value) in lines { terminal.data(name + String(repeating: " ", count: max(2, 14 - name.count)) + value) }
    }

    private static func json(_ info: StoreInfo, _ statistics: StoreStatistics) -> JSONValue {
        func number(_ value: some BinaryInteger) -> JSONValue { .integer(Int64(clamping: value)) }
        return .object([
            JSONMember("logBytes", number(info.logBytes)), JSONMember("segments", number(info.segments)),
            JSONMember("transactions", number(info.transactions)),
            JSONMember(
                "runs",
                .array(
                    statistics.runs.map { run in
                        .object([
                            JSONMember("rows", number(run.rows)), JSONMember("superseded", number(run.superseded)),
                            JSONMember("bytes", number(run.bytes)),
                        ])
                    })), JSONMember("garbage", .number(statistics.garbage)),
            JSONMember("memoryBytes", number(statistics.memoryBytes)), JSONMember("blobs", number(info.blobs)),
            JSONMember("blobBytes", number(info.blobBytes)),
            JSONMember("objects", .object(info.populations.map { JSONMember($0.entity, number($0.objects)) })),
        ])
    }
}
