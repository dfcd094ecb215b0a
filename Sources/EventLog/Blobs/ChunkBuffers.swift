// Invariants
// * At most `limit` spare buffers are kept, each of a chunk's size and owned by nobody else.

import Synchronization

/// Spare buffers, so that a series of blobs does not ask the system for fresh pages each time.
///
/// Touching 2 MiB of new pages per blob costs as much as copying them.
final class ChunkBuffers: Sendable {
    private static let limit = 4
    private let spare = Mutex<[[UInt8]]>([])

    /// A buffer with any content.
    func take() -> [UInt8] {
        spare.withLock { $0.popLast() } ?? [UInt8](repeating: 0, count: BlobFormat.chunkSize)
    }

    func giveBack(_ buffers: [[UInt8]]) {
        spare.withLock { $0 += buffers.prefix(Self.limit - $0.count) }
    }
}
