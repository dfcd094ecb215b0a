import EventLog
import Projection
import Storage

/// Whether what a store answers from is what its log means.
public struct StateVerification: Sendable, Hashable {
    /// The digest of the state that the store answers from.
    public let digest: String
    /// The digest of the log, folded anew.
    public let expected: String

    public var isSound: Bool { digest == expected }
}

extension Store {
    /// Folds the whole log anew, beside what the store answers from, and compares.
    ///
    /// It takes about as long as rebuilding, in bounded memory; the store may be used and written to meanwhile. Where no runs can be
    /// written on the way, as on a full disk, memory holds what would be in them.
    ///
    /// - Throws: ``StoreError`` `corrupt` for a log that cannot be read, `storage` for runs that cannot, even once they were made
    ///   anew.
    public func verifyState() async throws -> StateVerification {
        let engine = engine
        return try await engine.background.run { try engine.verifyState() }
    }
}

extension Engine {
    /// What is compared is of one position of the log, so that nobody who writes meanwhile is in the way.
    fileprivate func verifyState() throws -> StateVerification {
        try checkReadable()
        return try StoreError.wrap {
            var (state, position, known) = try named()
            var digest = state.stateDigest.description
            if state.objects.base?.failure != nil {
                // Something of the runs could not be read; the log has it.
                (state, position, known) = try named()
                digest = state.stateDigest.description
            }
            if let failure = state.objects.base?.failure { throw failure }
            var sizes = ProjectionSizes()
            // What remains is needed for the digest alone.
            sizes.rest = .max
            sizes.cache = 8 << 20
            let fresh = PastStates(layout, in: environment, sizes)
            defer { fresh.close() }
            // Not what the state was folded with: that, too, is to be found wrong if it is.
            let learnt = try NameResolver(log, position)
            let names = known.isPlain && learnt.isTrivial ? known : learnt
            let folded = try fresh.state(at: state.vector, of: log, position, names)
            let expected = folded.stateDigest.description
            if let failure = folded.objects.base?.failure { throw failure }
            return StateVerification(digest: digest, expected: expected)
        }
    }
}
