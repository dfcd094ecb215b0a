import Interchange
import Strandline

/// An event of a sync, as it is printed.
struct ShownEvent {
    private let event: SyncEvent

    init(_ event: SyncEvent) { self.event = event }

    var json: JSONValue {
        var members = [
            JSONMember("event", .string(event.kind.rawValue)), JSONMember("peer", .string(event.peer)),
            JSONMember("replica", event.replica.map { .string($0.description) } ?? .null),
            JSONMember("ended", .bool(event.ended != nil)),
        ]
        if let seconds = event.seconds {
            members += [
                JSONMember("seconds", .number(seconds)),
                JSONMember("transactions", .integer(Int64(event.transactions))),
                JSONMember("bytes", .integer(Int64(clamping: event.bytes))), JSONMember("blobs", .integer(Int64(event.blobs))),
            ]
        }
        if let error = event.error { members.append(JSONMember("error", .string(error.description))) }
        return .object(members)
    }
}
