import Storage
import Synchronization

// Under which replica id the store writes.
extension EventLog {
    /// The identity as it is on disk when another process has changed it.
    ///
    /// The caller holds the writers' lock.
    func refreshIdentity(_ shared: SharedState) throws(LogError) -> StoreIdentity {
        let known = front.withLock { $0.identity }
        guard shared.isValid, shared.replica == known.replica else {
            return try Self.readIdentity(layout, environment.fileSystem)
        }
        return known
    }

    /// Takes a new replica id, durably.
    ///
    /// The caller holds the writers' lock.
    func renewReplica() throws(LogError) {
        let attributes = try LogError.wrap { () throws(StorageError) in
            try environment.fileSystem.attributes(of: layout.lock) ?? FileAttributes()
        }
        var identity = try Self.readIdentity(layout, environment.fileSystem)
        let branches = front.withLock { $0.state.branches }
        identity.renew(
            StoreIdentity.Fingerprint(lock: attributes, host: environment.host), branches, environment.random)
        let contents = identity.encode()
        try LogError.wrap { () throws(StorageError) in try environment.fileSystem.replace(layout.identity, with: contents) }
        let renewed = identity
        front.withLock { front in
            front.identity = renewed
            front.mustRenew = false
            front.hasNamedFormer = false
        }
        shared?.adopt(renewed.replica, spent: 0)
    }
}
