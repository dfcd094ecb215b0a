import Interchange
import Strandline

/// Exchanges with a peer what either lacks.
struct SyncCommand: Command {
    let name = "sync"
    let summary = "exchange with a peer what either lacks"
    let usage = """
        usage: strandline sync STORE PEER [--watch] [--blobs POLICY] [--json]

        Exchanges transactions and blobs with a peer until neither lacks anything. PEER is
          folder:PATH    a folder that replicas share
          unix:PATH      a server at a Unix socket: 'strandline serve STORE --listen unix:PATH'
          tls://HOST:PORT
                         a server over TLS 1.3; each side has to trust the other's device ('device', 'trust')
          exec:COMMAND   a process that speaks on its standard streams: 'exec:ssh HOST strandline serve STORE --stdio'
          PATH           another store on this machine

          --watch   stays, passes on every commit at once, and connects again when the connection is lost, until interrupted
          --blobs   which blobs come from this peer, from now on: 'eager' (all, as at first), 'on-demand' (those that 'blobs --fetch'
                    asks for), or 'none'. Blobs go to the peer in any case, and transactions wait for none
          --json    {"exported":N,"imported":N,…}, in transactions, with bytes and blobs; with --watch an object per event
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let isWatching = try arguments.flag("--watch")
        let blobs = try arguments.option("--blobs", as: BlobPolicyArgument.self)?.policy
        let path = try arguments.positional("STORE")
        let peer = try arguments.positional("PEER", as: PeerArgument.self)
        try arguments.finish()
        if isWatching { return try await watch(path, peer, blobs, json: json, terminal) }
        let report = try await StoreAccess.writing(path, terminal) { store in
            let progress = terminal.progress("sync", total: nil, unit: .items("transactions"))
            defer { progress.finish() }
            return try await store.sync(with: try peer.peer(of: path), blobs: blobs) { report in
                progress.update(done: UInt64(report.exported.transactions + report.imported.transactions))
            }
        }
        for reason in report.skipped { terminal.say("note: \(reason)") }
        if report.held > 0 {
            terminal.say("note: \(report.held) transactions wait: their clock is ahead; see 'strandline info'")
        }
        if report.waiting > 0 { terminal.say("note: \(report.waiting) files wait for transactions that are not there yet") }
        if report.elsewhere > 0 { terminal.say("note: the peer does not have \(report.elsewhere) blobs") }
        if json { return terminal.json(Self.json(report)) }
        terminal.data("exported \(Self.text(report.exported))\nimported \(Self.text(report.imported))")
    }

    private func watch(
        _ path: String, _ argument: PeerArgument, _ blobs: BlobPolicy?, json: Bool, _ terminal: Terminal
    ) async throws {
        try await StoreAccess.writing(path, terminal) { store in
            let peer = try argument.peer(of: path)
            let events = store.syncEvents()
            let replication = try await store.replicate(with: peer, blobs: blobs)
            defer { replication.stop() }
            terminal.say("keeping \(path) in sync with \(peer)")
            try await Interruption.cancelling(after: nil) {
                for await event in events {
                    if case .stopped(let error?) = replication.phase { throw error }
                    terminal.say(event.description)
                    guard json else { continue }
                    terminal.json(ShownEvent(event).json)
                    terminal.flush()
                }
            }
        }
    }

    private static func text(_ traffic: SyncReport.Traffic) -> String {
        let blobs = traffic.blobs > 0 ? ", \(traffic.blobs) blobs (\(ProgressLine.bytes(traffic.blobBytes)))" : ""
        let baselines = traffic.baselines > 0 ? ", \(traffic.baselines) baselines" : ""
        return "\(traffic.transactions) transactions (\(ProgressLine.bytes(traffic.bytes)))\(blobs)\(baselines)"
    }

    private static func json(_ report: SyncReport) -> JSONValue {
        func members(_ name: String, _ traffic: SyncReport.Traffic) -> [JSONMember] {
            [
                JSONMember(name, .integer(Int64(traffic.transactions))),
                JSONMember(name + "Bytes", .integer(Int64(clamping: traffic.bytes))),
                JSONMember(name + "Blobs", .integer(Int64(traffic.blobs))),
                JSONMember(name + "BlobBytes", .integer(Int64(clamping: traffic.blobBytes))),
                JSONMember(name + "Baselines", .integer(Int64(traffic.baselines))),
            ]
        }
        return .object(
            members("exported", report.exported) + members("imported", report.imported) + [
                JSONMember("held", .integer(Int64(report.held))), JSONMember("repeated", .integer(Int64(report.repeated))),
                JSONMember("forks", .integer(Int64(report.forks))),
                JSONMember("waiting", .integer(Int64(report.waiting))),
                JSONMember("blobsElsewhere", .integer(Int64(report.elsewhere))),
                JSONMember("skipped", .array(report.skipped.map { .string($0) })),
            ])
    }
}
