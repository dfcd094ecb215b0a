import Synchronization

// Invariants
// * Each shard holds at most its part of the budget, whatever is asked of it; a chunk larger than that is not kept.
// * The lock of a shard guards all of it and is held for no reading or decoding.
// * Two threads that miss at once both read the chunk; the first one's is kept.

/// Decoded chunks of the runs of a store, up to a budget of bytes.
///
/// What a scan reads may take a quarter of it from what point reads want, not more.
package final class BlockCache: Sendable {
    /// What a cache has done so far, and holds.
    package struct Counts: Sendable, Equatable {
        package var hits: UInt64 = 0
        package var misses: UInt64 = 0
        package var bytes = 0
        package var chunks = 0
    }

    package let budget: Int
    /// Beside the budget.
    let pools: TextPools
    private let shards: [Shard]
    private let runs = Atomic<UInt64>(0)

    /// - Parameter budget: bytes of memory, estimated.
    package init(budget: Int) {
        self.budget = budget
        pools = TextPools(room: budget / 2)
        // A shard must have room for some whole blocks.
        var count = 1
        while count < 8, budget / count >= 32 << 20 { count <<= 1 }
        self.shards = (0..<count).map { _ in Shard(budget: budget / count) }
    }

    package var counts: Counts {
        shards.reduce(into: Counts()) { sum, shard in
            let counts = shard.state.withLock { $0.counts }
            sum.hits += counts.hits
            sum.misses += counts.misses
            sum.bytes += counts.bytes
            sum.chunks += counts.chunks
        }
    }

    /// A number for a run that was opened; no other one gets it.
    func nextRun() -> UInt64 { runs.add(1, ordering: .relaxed).newValue }

    func chunk(_ key: ChunkKey) -> CachedChunk? { shard(key).state.withLock { $0.chunk(key) } }

    /// - Parameter isScan: whether it was read in passing, and may go first.
    func insert(_ key: ChunkKey, _ chunk: CachedChunk, isScan: Bool) {
        let memory = chunk.memory
        // What is let go is released after the lock, by going out of scope here.
        let dropped = shard(key).state.withLock { $0.insert(key, chunk, memory: memory, isScan: isScan) }
        withExtendedLifetime(dropped) {}
    }

    /// Lets go of all chunks of a run.
    func removeAll(of run: UInt64) {
        for shard in shards { shard.state.withLock { $0.removeAll(of: run) } }
    }

    private func shard(_ key: ChunkKey) -> Shard { shards[Int(key.hash >> 32) & (shards.count - 1)] }

    private final class Shard: Sendable {
        let state: Mutex<CacheShard>
        init(budget: Int) { state = Mutex(CacheShard(budget: budget)) }
    }
}
