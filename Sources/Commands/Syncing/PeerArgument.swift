import Strandline

/// What to sync with: `folder:PATH`, or a store's path.
struct PeerArgument: ArgumentValue {
    static let expectation = "folder:PATH, or the path of a store"

    let peer: SyncPeer

    init?(argument: String) {
        if argument.hasPrefix("folder:") {
            let path = String(argument.dropFirst("folder:".count))
            if path.isEmpty { return nil }
            peer = .folder(path: path)
        } else {
            // A scheme that this version does not know is no path.
            if argument.isEmpty || ["unix:", "tls:", "exec:", "nats:"].contains(where: { argument.hasPrefix($0) }) {
                return nil
            }
            peer = .store(path: argument)
        }
    }
}
