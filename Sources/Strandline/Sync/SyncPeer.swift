public import Transports

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a store synchronises with.
public enum SyncPeer: Sendable, CustomStringConvertible {
    /// A folder that replicas share, by whatever means: a file server, a program that mirrors folders, a stick.
    case folder(path: String)
    /// Another store on this machine.
    case store(path: String)
    /// A server at a Unix socket: `strandline serve --listen unix:PATH`.
    case unix(path: String)
    /// A process that speaks the protocol on its standard streams: `ssh host strandline serve --stdio STORE`.
    case exec(command: String)
    /// Whatever a transport connects to.
    case stream(any Transport)

    /// What connects to it; nil for a folder and a store.
    var transport: (any Transport)? {
        switch self {
        case .folder, .store: nil
        case .unix(let path): UnixTransport(path: path)
        case .exec(let command): ExecTransport(command: command)
        case .stream(let transport): transport
        }
    }

    /// As the command line takes it: `unix:/run/posts`.
    public var description: String {
        switch self {
        case .folder(let path): "folder:\(path)"
        case .store(let path): path
        case .unix(let path): "unix:\(path)"
        case .exec(let command): "exec:\(command)"
        case .stream(let transport): transport.address
        }
    }

    /// A shared folder at a file URL.
    public static func folder(_ url: URL) -> SyncPeer { .folder(path: url.path) }
}
