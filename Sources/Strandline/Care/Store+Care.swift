public import EventLog
import Storage

extension Store {
    /// Reads every byte of the store that matters and checks it; changes nothing, and may run beside writers.
    ///
    /// - Parameter progress: hears, from another thread, bytes done and in all.
    /// - Returns: what was found; see ``LogVerification/isSound``.
    public func verify(
        progress: @escaping @Sendable (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) async throws -> LogVerification {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            return try engine.log.verify(progress: progress)
        }
    }

    /// Reads and checks a store that need not open.
    ///
    /// - Throws: ``StoreError`` `notFound` or `notAStore` when there is no store at all; damage is in the result.
    public static func verify(
        _ location: StoreLocation, progress: @escaping @Sendable (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) async throws -> LogVerification {
        let (path, environment) = location.resolved
        return try await background.run { try EventLog.verify(at: path, in: environment, progress: progress) }
    }

    /// Copies what is durable now to another directory, while the store goes on being used.
    ///
    /// The copy takes a replica id of its own at its first write, so that both may go on and sync.
    ///
    /// - Parameters:
    ///   - path: where to; nothing or an empty directory may be there.
    ///   - progress: hears, from another thread, bytes done and in all.
    /// - Throws: ``StoreError`` `alreadyExists`, `notFound` when the directory that is to hold the copy is missing, `storage` such as
    ///   a full disk. Nothing is left behind then.
    @discardableResult
    public func backup(
        to path: String, progress: @escaping @Sendable (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) async throws -> LogBackup {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            if engine.log.hasPending { try engine.log.flush() }
            return try engine.records.measure(.backup) { span in
                let made = try engine.log.backup(to: path, progress: progress)
                span.fields += [.bytes(made.bytes), .blobs(made.blobs)]
                return made
            }
        }
    }
}
