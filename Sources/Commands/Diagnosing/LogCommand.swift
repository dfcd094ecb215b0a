import Interchange
import Projection
import Strandline

extension RecordCategory: ArgumentValue {}
extension RecordImportance: ArgumentValue {}

/// Prints what a store recorded of what it did.
struct LogCommand: Command {
    let name = "log"
    let summary = "print what a store recorded of what it did, and follow it"
    let usage = """
        usage: strandline log STORE [OPTIONS]

        Prints the records that the processes of a store wrote to its folder 'logs', or that are in a bundle of 'diagnose', the
        oldest first. The store need not open, and may be in use.

          --where PREDICATE    only records it holds for, as of objects: "message CONTAINS[cd] 'peer' AND category == 'sync'"
                               every record has time, level, category, kind, message and opening; many have peer, replica, origin,
                               transactions, bytes, milliseconds, error, file: see docs/GUIDE.md
          --category NAME      only those of store, scheduler, push or sync
          --level NAME         only those that matter as much: debug, info, notice, error
          --since TIME         only those since then: 2026-11-30T08:30:00Z
          --follow             goes on with what comes, from now or from --since on, until it is interrupted
          --count N            ends after N records
          --timeout SECONDS    with --follow: ends after so long
          --json               one array; with --follow one object per line
        """

    /// How often the files are looked at, in milliseconds.
    private static let interval = 200

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let text = try arguments.option("--where")
        let wanted = Wanted(
            predicate: try Self.filter(text), category: try arguments.option("--category", as: RecordCategory.self),
            level: try arguments.option("--level", as: RecordImportance.self),
            since: try arguments.option("--since", as: DateArgument.self)?.milliseconds)
        let follows = try arguments.flag("--follow")
        let limit = try arguments.option("--count", as: UInt64.self) ?? .max
        let timeout = try arguments.option("--timeout", as: Double.self)
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        guard follows || timeout == nil else { throw CommandError.usage("--timeout is for --follow") }
        var tail = try RecordTail(path)
        guard follows else { return try show(&tail, wanted, Int(clamping: limit), json: json, terminal) }
        if wanted.since == nil { try tail.skip() }
        let begun = tail
        terminal.say("following \(path)")
        try await Interruption.cancelling(after: timeout) {
            var tail = begun
            var count: UInt64 = 0
            do {
                while count < limit {
                    let filter = try wanted.filter()
                    for record in try tail.next() where count < limit && wanted.includes(record, filter) {
                        terminal.data(json ? record.json.text : record.text)
                        count += 1
                    }
                    terminal.flush()
                    if count < limit { try await Task.sleep(for: .milliseconds(Self.interval)) }
                }
            } catch is CancellationError {}
        }
    }

    private func show(_ tail: inout RecordTail, _ wanted: Wanted, _ limit: Int, json: Bool, _ terminal: Terminal) throws {
        let filter = try wanted.filter()
        let found = try tail.next().lazy.filter { wanted.includes($0, filter) }.prefix(limit)
        if json {
            try terminal.jsonArray(found.map(\.json))
        } else {
            for record in found { terminal.data(record.text) }
        }
        if tail.unreadable > 0 {
            terminal.say(
                "note: \(ProgressLine.counted(tail.unreadable, "line")) of the log files could not be read and \(tail.unreadable == 1 ? "is" : "are") left out"
            )
        }
    }

    private static func filter(_ text: String?) throws(CommandError) -> Filter? {
        guard let text, let filter = try TextArguments.filter(text) else { return nil }
        // Which names there are does not depend on the store.
        do throws(PredicateError) {
            _ = try RecordFilter(filter)
        } catch {
            throw .malformed("--where: \(error.located(in: text).description)")
        }
        return filter
    }

    private struct Wanted: Sendable {
        let predicate: Filter?
        let category: RecordCategory?
        let level: RecordImportance?
        let since: UInt64?

        func filter() throws(PredicateError) -> RecordFilter? {
            guard let predicate else { return nil }
            return try RecordFilter(predicate)
        }

        func includes(_ record: ShownRecord, _ filter: RecordFilter?) -> Bool {
            if let since, record.time < since { return false }
            if let category, record["category"] != category.rawValue { return false }
            if let level, record["level"].flatMap(RecordImportance.init(rawValue:)) ?? .debug < level { return false }
            return filter?.matches(record.values) ?? true
        }
    }
}
