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
    /// It takes as long as rebuilding, in bounded memory; the store may be used meanwhile.
    ///
    /// - Throws: `storage` when there is no room for the runs that are made on the way; they are removed again.
    public func verifyState() async throws -> StateVerification {
        let engine = engine
        return try await engine.background.run { try engine.verifyState() }
    }
}

extension Engine {
    fileprivate func verifyState() throws -> StateVerification {
        try checkReadable()
        return try StoreError.wrap {
            let fileSystem = environment.fileSystem
            let path = layout.temporary + "/verify-" + Digest128.hex(environment.random.next())
            defer { try? fileSystem.removeTree(path) }
            while true {
                var answer: (digest: String, state: LogState)?
                try readDurable { state, position in answer = (state.stateDigest.description, position) }
                let scratch = ProjectionDirectory(path, in: environment, cacheBytes: 8 << 20)
                let fresh = LiveState(log, blobs: StoreBlobs(store: blobs), Materialiser(scratch), ProjectionSizes())
                let expected = try fresh.withLock { live -> String? in
                    try live.follow()
                    defer { live.finish() }
                    // Somebody may have written meanwhile; then the two are not of one moment.
                    guard log.durableState.position == answer?.state.position else { return nil }
                    return live.box.state.stateDigest.description
                }
                guard let answer, let expected else { continue }
                return StateVerification(digest: answer.digest, expected: expected)
            }
        }
    }
}
