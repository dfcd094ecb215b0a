package import Storage

extension EventLog {
    /// Reads all of this log's store and checks it; see ``verify(at:in:progress:)``.
    package func verify(
        progress: (_ done: UInt64, _ total: UInt64) throws -> Void = { _, _ in }
    ) throws -> LogVerification {
        try Self.verify(at: layout.root, in: environment, progress: progress)
    }

    /// Reads every byte of a store that matters and checks it against SPEC.md, from the device where the system allows.
    ///
    /// Changes nothing, takes no lock and may run beside writers: then what was durable when it began is checked. Needs no store that
    /// opens, so it tells of one that does not what is wrong with it. Memory stays flat: at most a segment's list of groups, a
    /// group, and 16 bytes for each part of a staged transaction.
    ///
    /// - Parameter progress: called about each megabyte with bytes done and in all; what it throws ends the work.
    /// - Throws: ``LogError`` of code `notFound` or `notAStore` when there is no store at all; damage is in the result.
    package static func verify(
        at path: String, in environment: Environment,
        progress: (_ done: UInt64, _ total: UInt64) throws -> Void = { _, _ in }
    ) throws -> LogVerification {
        try withoutActuallyEscaping(progress) { progress in
            let verifier = StoreVerifier(StoreLayout(root: path), in: environment, progress: progress)
            try verifier.run()
            return verifier.report
        }
    }
}
