#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a store synchronises with.
public enum SyncPeer: Hashable, Sendable {
    /// A folder that replicas share, by whatever means: a file server, a program that mirrors folders, a stick.
    case folder(path: String)
    /// Another store on this machine.
    case store(path: String)

    /// A shared folder at a file URL.
    public static func folder(_ url: URL) -> SyncPeer { .folder(path: url.path) }
}
