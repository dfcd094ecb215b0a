import EventLog
import Projection
import Storage

extension Engine {
    private static let attempts = 8

    /// Removes the blobs that nothing names any more.
    ///
    /// - Parameter grace: milliseconds for which a file is spared that nothing names yet.
    /// - Throws: `unsupportedVersion` when something of the log cannot be read; `busy`, `storage`.
    func collectBlobs(olderThan grace: UInt64 = 86_400_000) throws -> BlobCollection {
        // Nothing can be removed, whatever is named.
        if try blobs.list().isEmpty { return try blobs.collect(keeping: { _ in true }, olderThan: grace) }
        for _ in 0..<Self.attempts {
            var named = BlobKeys()
            let position = try readDurable { state, position in
                try state.addBlobs(to: &named)
                return position
            }
            for state in snapshots.states { try state.addBlobs(to: &named) }
            let result = try exclusively { try log.collectBlobs(in: blobs, keeping: named, at: position, olderThan: grace) }
            guard let result else { continue }
            if result.removed > 0 { records.note(.blobsCollected, .blobs(result.removed), .bytes(result.removedBytes)) }
            return result
        }
        throw StoreError(.busy, "another process trims this store; try again")
    }
}

extension FoldState {
    /// Adds the blobs that a baseline of this state would name.
    fileprivate func addBlobs(to named: inout BlobKeys) throws {
        var stream = try BaselineStream(self)
        var found: [BlobID] = []
        while let object = try stream.next() {
            for case .blob(let blob) in object.registers.map(\.value) where blob.inline == nil { found.append(blob.id) }
            guard found.count >= 1 << 14 else { continue }
            named.insert(found)
            found = []
        }
        named.insert(found)
        if let failure = objects.base?.failure { throw failure }
    }
}
