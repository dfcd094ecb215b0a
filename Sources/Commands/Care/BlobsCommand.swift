import Interchange
import Storage
import Strandline

/// Lists the blobs of a store, brings them, and removes them.
struct BlobsCommand: Command {
    let name = "blobs"
    let summary = "list blobs and where they are, fetch them, or remove them here"
    let usage = """
        usage: strandline blobs STORE [--json]
               strandline blobs STORE --fetch ID|all [--from PEER] [--json]
               strandline blobs STORE --evict ID | --older-than DAYS | --keep-below BYTES [--from PEER] [--force] [--json]

        Lists the blobs that objects name, those above 64 KiB: here, partly here, elsewhere (with whom, as far as that is known),
        evicted, or lacking. PEER is as for 'sync'.

          --fetch ID          brings a blob, or 'all' that are not here, from PEER; may be given more than once
          --evict ID          removes a blob here; may be given more than once. It is fetched again only when it is asked for
          --older-than DAYS   removes the blobs that were stored here longer ago than that
          --keep-below BYTES  removes the oldest ones until the rest takes at most so much, such as 2GB
          --from PEER         whom to fetch from; who has to keep what is removed: without its promise a blob stays. A folder is read
          --force             asks nobody; what may be lost for ever is named
          --json              an array of {"id":…,"bytes":N,"state":…,"here":N,"peers":[…]}, or what was done
        """

    private enum Task {
        case list
        case fetch([String])
        case evict(Choice)
    }

    private enum Choice {
        case ids([String])
        case olderThan(milliseconds: UInt64)
        case keepBelow(UInt64)
    }

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let force = try arguments.flag("--force")
        let peer = try arguments.option("--from", as: PeerArgument.self)
        let task = try Self.task(&arguments)
        let path = try arguments.positional("STORE")
        try arguments.finish()
        switch task {
        case .list:
            guard peer == nil, !force else { throw CommandError.usage("--from and --force go with --fetch or --evict") }
            let blobs = try await StoreAccess.reading(path, terminal) { try await $0.blobs() }
            Self.show(blobs, json: json, terminal)
        case .fetch(let ids):
            if force { throw CommandError.usage("--force goes with --evict") }
            try await StoreAccess.writing(path, terminal) { store in
                try await Self.fetch(ids, in: store, from: try peer?.peer(of: path), json: json, terminal)
            }
        case .evict(let choice):
            guard peer != nil || force else {
                throw CommandError.usage("say who keeps the blobs: --from PEER; or --force, which may lose them for ever")
            }
            let report = try await StoreAccess.writing(path, terminal) { store in
                let blobs = try Self.choose(choice, of: try await store.blobs())
                return try await store.evict(blobs, promisedBy: try peer?.peer(of: path), force: force)
            }
            try Self.tell(report, json: json, terminal)
        }
    }

    private static func task(_ arguments: inout ArgumentReader) throws -> Task {
        let fetched = try arguments.options("--fetch")
        let evicted = try arguments.options("--evict")
        let days = try arguments.option("--older-than", as: Double.self)
        let below = try arguments.option("--keep-below", as: ByteRangeArgument.self)
        var tasks: [Task] = []
        if !fetched.isEmpty { tasks.append(.fetch(fetched)) }
        if !evicted.isEmpty { tasks.append(.evict(.ids(evicted))) }
        if let days {
            guard days >= 0, days < 1e6 else {
                throw CommandError.usage("--older-than needs a number of days that is not negative")
            }
            tasks.append(.evict(.olderThan(milliseconds: UInt64(days * 86_400_000))))
        }
        if let below { tasks.append(.evict(.keepBelow(below.range.upperBound))) }
        guard tasks.count <= 1 else {
            throw CommandError.usage("give one of --fetch, --evict, --older-than and --keep-below")
        }
        return tasks.first ?? .list
    }

    /// A blob by its id, or by the beginning of it that no other has.
    private static func find(_ text: String, in blobs: [BlobStatus]) throws -> BlobStatus {
        let found = blobs.filter { $0.blob.id.description.hasPrefix(text) }
        guard let first = found.first, !text.isEmpty else {
            throw CommandError.failed("no object names a blob \(text); 'strandline blobs' lists them")
        }
        guard found.count == 1 else {
            throw CommandError.failed("\(found.count) blobs begin with \(text); give more of the id")
        }
        return first
    }

    private static func choose(_ choice: Choice, of blobs: [BlobStatus]) throws -> [BlobReference] {
        let here = blobs.filter { $0.written != nil }.sorted { ($0.written ?? 0, $0.blob.id) < ($1.written ?? 0, $1.blob.id) }
        switch choice {
        case .ids(let ids): return try ids.map { try find($0, in: blobs).blob }
        case .olderThan(let age):
            let now = SystemClock().now()
            return here.filter { now > $0.written ?? now && now - ($0.written ?? now) > age }.map(\.blob)
        case .keepBelow(let limit):
            var rest = here.reduce(0) { $0 + $1.blob.length }
            return here.prefix { status in
                defer { rest -= min(rest, status.blob.length) }
                return rest > limit
            }.map(\.blob)
        }
    }

    private static func fetch(
        _ ids: [String], in store: Store, from peer: SyncPeer?, json: Bool, _ terminal: Terminal
    ) async throws {
        let blobs = try await store.blobs()
        let wanted = try ids == ["all"] ? blobs.filter { $0.state != .here } : ids.map { try find($0, in: blobs) }
        let total = wanted.reduce(0) { $0 + $1.blob.length }
        let progress = terminal.progress("fetch", total: total, unit: .bytes)
        defer { progress.finish() }
        var before: UInt64 = 0
        for each in wanted {
            let done = before
            try await store.fetch(blob: each.blob, from: peer) { count, _ in progress.update(done: done + count) }
            before += each.blob.length
            progress.update(done: before)
        }
        progress.finish()
        WorkSummary(["fetched": wanted.count]).print(on: terminal, asJSON: json)
    }

    private static func tell(_ report: EvictionReport, json: Bool, _ terminal: Terminal) throws {
        for refusal in report.refused { terminal.say("note: blob \(refusal.blob.id) stays: \(refusal.reason)") }
        for blob in report.lost {
            terminal.say(
                "note: nobody is known to have blob \(blob.id), \(blob.length) bytes: unless it is in a backup, it is lost")
        }
        if json {
            func ids(_ blobs: [BlobReference]) -> JSONValue { .array(blobs.map { .string($0.id.description) }) }
            terminal.json(
                .object([
                    JSONMember("evicted", ids(report.evicted)), JSONMember("bytes", .integer(Int64(clamping: report.bytes))),
                    JSONMember("refused", ids(report.refused.map(\.blob))), JSONMember("lost", ids(report.lost)),
                ]))
        } else {
            terminal.data("\(report.evicted.count) blobs evicted, \(ProgressLine.bytes(report.bytes)) free")
        }
        guard report.refused.isEmpty else {
            throw CommandError.failed(
                "\(report.refused.count) blobs stay, since nobody promised to keep them; sync first, or --force to lose them")
        }
    }

    private static func show(_ blobs: [BlobStatus], json: Bool, _ terminal: Terminal) {
        if json {
            return terminal.json(
                .array(
                    blobs.map { status in
                        .object([
                            JSONMember("id", .string(status.blob.id.description)),
                            JSONMember("bytes", .integer(Int64(clamping: status.blob.length))),
                            JSONMember("state", .string(status.state.word)),
                            JSONMember("here", .integer(Int64(clamping: status.arrived))),
                            JSONMember("peers", .array(status.state.peers.map { .string($0.description) })),
                        ])
                    }))
        }
        var table = TextTable(["blob", "bytes", "state"])
        for status in blobs {
            table.append([
                .value(.string(status.blob.id.description)), .value(.int(Int64(clamping: status.blob.length))),
                .value(.string(status.text)),
            ])
        }
        table.forEachLine { terminal.data($0) }
        let bytes = blobs.reduce(0) { $0 + $1.arrived }
        let total = blobs.reduce(0) { $0 + $1.blob.length }
        terminal.say(
            "\(blobs.count { $0.state == .here }) of \(blobs.count) blobs are here, \(ProgressLine.bytes(bytes)) of "
                + ProgressLine.bytes(total))
    }
}

extension BlobState {
    fileprivate var word: String {
        switch self {
        case .here: "here"
        case .partly: "partly"
        case .elsewhere: "elsewhere"
        case .evicted: "evicted"
        case .lacking: "lacking"
        }
    }

    fileprivate var peers: [ReplicaID] {
        switch self {
        case .elsewhere(let peers), .evicted(let peers): peers
        case .here, .partly, .lacking: []
        }
    }
}

extension BlobStatus {
    /// Bytes that are here.
    fileprivate var arrived: UInt64 {
        switch state {
        case .here: blob.length
        case .partly(let bytes): bytes
        case .elsewhere, .evicted, .lacking: 0
        }
    }

    fileprivate var text: String {
        switch state {
        case .partly(let bytes): "partly, \(bytes) bytes"
        case .here, .elsewhere, .evicted, .lacking:
            state.peers.isEmpty ? state.word : state.word + " " + state.peers.map(\.description).joined(separator: " ")
        }
    }
}
