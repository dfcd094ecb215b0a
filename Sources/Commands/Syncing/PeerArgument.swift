import Strandline

/// What to sync with: `folder:PATH`, or a store's path.
struct PeerArgument: ArgumentValue {
    static let expectation = "folder:PATH, unix:PATH, exec:COMMAND, or the path of a store"

    let peer: SyncPeer

    init?(argument: String) {
        let rest = String(argument.drop(while: { $0 != ":" }).dropFirst())
        switch argument.prefix(while: { $0 != ":" }) {
        case "folder" where !rest.isEmpty: peer = .folder(path: rest)
        case "unix" where !rest.isEmpty: peer = .unix(path: rest)
        case "exec" where !rest.isEmpty: peer = .exec(command: rest)
        // A scheme that this version does not know is no path.
        case "folder", "unix", "exec", "tls", "nats", "": return nil
        default: peer = .store(path: argument)
        }
    }
}
