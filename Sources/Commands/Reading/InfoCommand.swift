import Interchange
import Strandline

/// Describes a store.
struct InfoCommand: Command {
    let name = "info"
    let summary = "describe a store: dataset, sizes, objects, history"
    let usage = """
        usage: strandline info STORE [--json]

        Describes a store: its dataset and replica, how many objects it has of each entity, from where and how far its
        history reaches, who has acknowledged it, what waits because its clock was ahead, and how much room its files take.

          --json   one object
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let info = try await StoreAccess.reading(path, terminal) { store in try await store.info() }
        if json { return terminal.json(Self.json(info)) }
        for (name, value) in Self.lines(info) {
            terminal.data(name + String(repeating: " ", count: max(2, 14 - name.count)) + value)
        }
    }

    private static func lines(_ info: StoreInfo) -> [(String, String)] {
        var lines = [
            ("dataset", info.dataset.description), ("replica", info.replica.description),
            ("log", "\(ProgressLine.bytes(info.logBytes)) in \(info.segments) segment\(info.segments == 1 ? "" : "s")"),
            ("blobs", "\(info.blobs), \(ProgressLine.bytes(info.blobBytes))"),
            ("transactions", ProgressLine.grouped(info.transactions)),
        ]
        if let first = info.first, let latest = info.latest {
            lines.append(("history", "\(DateArgument.text(first.milliseconds)) to \(DateArgument.text(latest.milliseconds))"))
        }
        for entry in info.floor?.vector.entries ?? [] { lines.append(("floor", "\(entry.origin) up to \(entry.sequence)")) }
        for peer in info.peers {
            let lag = Self.lag(of: peer, in: info)
            let seen = "last heard of \(DateArgument.text(peer.lastContact))"
            lines.append(("acknowledged", "\(peer.title): \(lag == 0 ? "everything" : "all but \(lag)"), \(seen)"))
        }
        for entry in info.token.vector.entries { lines.append(("origin", "\(entry.origin) up to \(entry.sequence)")) }
        for held in info.held {
            let range = "\(held.sequences.lowerBound) to \(held.sequences.upperBound)"
            lines.append(("held", "\(held.origin) \(range), stamped \(DateArgument.text(held.timestamp.milliseconds))"))
        }
        for population in info.populations {
            lines.append(("objects", "\(ProgressLine.grouped(UInt64(population.objects))) \(population.entity)"))
        }
        if info.quarantined > 0 { lines.append(("quarantined", "\(info.quarantined) files")) }
        return lines
    }

    /// How many transactions of this store it has not acknowledged.
    private static func lag(of peer: PeerRecord, in info: StoreInfo) -> UInt64 {
        info.token.vector.entries.reduce(0) { sum, entry in
            let known = peer.acknowledged.vector.sequence(of: entry.origin)
            return sum + (entry.sequence > known ? entry.sequence - known : 0)
        }
    }

    static func json(_ info: StoreInfo) -> JSONValue {
        func time(_ timestamp: Timestamp?) -> JSONValue {
            timestamp.map { .string(DateArgument.text($0.milliseconds)) } ?? .null
        }
        return .object([
            JSONMember("dataset", .string(info.dataset.description)),
            JSONMember("replica", .string(info.replica.description)),
            JSONMember("segments", .integer(Int64(info.segments))),
            JSONMember("logBytes", .integer(Int64(clamping: info.logBytes))),
            JSONMember("blobs", .integer(Int64(info.blobs))),
            JSONMember("blobBytes", .integer(Int64(clamping: info.blobBytes))),
            JSONMember("transactions", .integer(Int64(clamping: info.transactions))),
            JSONMember("first", time(info.first)),
            JSONMember("latest", time(info.latest)),
            JSONMember(
                "origins",
                .object(
                    info.token.vector.entries.map { entry in
                        JSONMember(entry.origin.description, .integer(Int64(clamping: entry.sequence)))
                    })),
            JSONMember("floor", info.floor.map { .string($0.description) } ?? .null),
            JSONMember(
                "acknowledged",
                .array(
                    info.peers.map { peer in
                        .object([
                            JSONMember("name", .string(peer.name)),
                            JSONMember("peer", peer.replica.map { .string($0.description) } ?? .null),
                            JSONMember("lag", .integer(Int64(clamping: lag(of: peer, in: info)))),
                            JSONMember("lastContact", .string(DateArgument.text(peer.lastContact))),
                        ])
                    })),
            JSONMember(
                "held",
                .array(
                    info.held.map { held in
                        .object([
                            JSONMember("origin", .string(held.origin.description)),
                            JSONMember("first", .integer(Int64(clamping: held.sequences.lowerBound))),
                            JSONMember("last", .integer(Int64(clamping: held.sequences.upperBound))),
                            JSONMember("time", time(held.timestamp)),
                        ])
                    })),
            JSONMember("objects", .object(info.populations.map { JSONMember($0.entity, .integer(Int64($0.objects))) })),
            JSONMember("quarantined", .integer(Int64(info.quarantined))),
        ])
    }
}
