import Strandline
import TLSTransport
import Transports

/// Where to serve: `unix:PATH`, or `tls://HOST:PORT`.
enum ListenArgument: ArgumentValue {
    static let expectation = "unix:PATH, or tls://HOST:PORT"

    case unix(path: String)
    case tls(TLSAddress)

    init?(argument: String) {
        if argument.hasPrefix("unix:"), argument != "unix:" {
            self = .unix(path: String(argument.dropFirst("unix:".count)))
        } else if let address = try? TLSAddress(parsing: argument), address.device == nil {
            self = .tls(address)
        } else {
            return nil
        }
    }

    /// - Parameter store: the directory of the store to be served, for its device.
    func listener(of store: String) throws -> any ChannelListener {
        switch self {
        case .unix(let path): return try UnixListener(path: path)
        case .tls(let address):
            let device = try StoreDevice(of: store)
            return try TLSListener(host: address.host, port: address.port, identity: device.identity, trusting: device.trusted)
        }
    }
}
