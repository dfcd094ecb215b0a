import Strandline
import TLSTransport

/// What to sync with.
enum PeerArgument: ArgumentValue {
    static let expectation = "folder:PATH, unix:PATH, tls://HOST:PORT, exec:COMMAND, or the path of a store"

    case ready(SyncPeer)
    case tls(TLSAddress)

    init?(argument: String) {
        let rest = String(argument.drop(while: { $0 != ":" }).dropFirst())
        switch argument.prefix(while: { $0 != ":" }) {
        case "folder" where !rest.isEmpty: self = .ready(.folder(path: rest))
        case "unix" where !rest.isEmpty: self = .ready(.unix(path: rest))
        case "exec" where !rest.isEmpty: self = .ready(.exec(command: rest))
        case "tls":
            guard let address = try? TLSAddress(parsing: argument) else { return nil }
            self = .tls(address)
        // A scheme that this version does not know is no path.
        case "folder", "unix", "exec", "nats", "": return nil
        default: self = .ready(.store(path: argument))
        }
    }

    /// - Parameter store: the directory of the store that is to be synced, for its device.
    func peer(of store: String) throws -> SyncPeer {
        switch self {
        case .ready(let peer): return peer
        case .tls(let address):
            let device = try StoreDevice(of: store)
            return .stream(
                TLSTransport(
                    host: address.host, port: address.port, identity: device.identity, trusting: device.trusted,
                    expecting: address.device))
        }
    }
}
