import Strandline
import Transports

/// Where to serve: `unix:PATH`.
struct ListenArgument: ArgumentValue {
    static let expectation = "unix:PATH"

    private let path: String

    init?(argument: String) {
        guard argument.hasPrefix("unix:"), argument != "unix:" else { return nil }
        path = String(argument.dropFirst("unix:".count))
    }

    func listener() throws -> any ChannelListener { try UnixListener(path: path) }
}
