import Strandline

/// What the processes of a store recorded last of each peer.
struct PeerNotes {
    struct Note {
        var isConnected = false
        /// Milliseconds since 1970.
        var lastSuccess: UInt64?
        /// The code, and when.
        var error: (code: String, time: UInt64)?
    }

    private var notes: [String: Note] = [:]

    /// Those of which anything is known, ascending.
    var names: [String] { notes.keys.sorted() }

    subscript(peer: String) -> Note? { notes[peer] }

    /// - Parameter path: a store; none of it is changed.
    init(_ path: String) throws {
        var tail = try RecordTail(path)
        for record in try tail.next() {
            if record["kind"] == RecordKind.opening.rawValue, record["phase"] == "begin" { continue }
            guard let peer = record["peer"], let kind = record["kind"].flatMap(RecordKind.init(rawValue:)) else { continue }
            var note = notes[peer] ?? Note()
            switch kind {
            case .peerConnected, .imported, .exported:
                note.lastSuccess = record.time
                note.error = nil
                if kind == .peerConnected { note.isConnected = true }
            case .peerEnded: note.isConnected = false
            case .connectingFailed, .peerRefused, .importFailed, .exportFailed, .retryLater:
                note.error = (record["error"] ?? "unknown", record.time)
            default: continue
            }
            notes[peer] = note
        }
    }
}
