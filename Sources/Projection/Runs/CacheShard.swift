// Invariants
// * `bytes` is the sum of all entries' memory and at most `budget`; `coldBytes` that of the cold ones.
// * Every entry has its key once in the queue of its kind, and there are no other keys.

/// One part of a block cache: two queues with a second chance for whatever was asked for since it was queued.
///
/// Entries of scans start cold; the first hit makes them hot when they come up. While cold ones take more than a quarter of the
/// budget they go first, so that no scan pushes out more than that.
struct CacheShard: Sendable {
    private struct Entry {
        var chunk: CachedChunk
        var memory: Int
        var isCold: Bool
        var wasHit = false
    }

    private let budget: Int
    private var entries: [ChunkKey: Entry] = [:]
    private var cold = KeyQueue()
    private var hot = KeyQueue()
    private var bytes = 0
    private var coldBytes = 0
    private var hits: UInt64 = 0
    private var misses: UInt64 = 0

    init(budget: Int) { self.budget = budget }

    var counts: BlockCache.Counts {
        BlockCache.Counts(hits: hits, misses: misses, bytes: bytes, chunks: entries.count)
    }

    mutating func chunk(_ key: ChunkKey) -> CachedChunk? {
        guard let index = entries.index(forKey: key) else {
            misses += 1
            return nil
        }
        hits += 1
        entries.values[index].wasHit = true
        return entries.values[index].chunk
    }

    /// Keeps the chunk unless there is one; returns what was let go for it.
    mutating func insert(_ key: ChunkKey, _ chunk: CachedChunk, memory: Int, isScan: Bool) -> [CachedChunk] {
        guard memory <= budget, entries[key] == nil else { return [] }
        var dropped: [CachedChunk] = []
        while bytes + memory > budget, let chunk = evict() { dropped.append(chunk) }
        entries[key] = Entry(chunk: chunk, memory: memory, isCold: isScan)
        bytes += memory
        if isScan {
            coldBytes += memory
            cold.append(key)
        } else {
            hot.append(key)
        }
        return dropped
    }

    mutating func removeAll(of run: UInt64) {
        for key in entries.keys.filter({ $0.run == run }) { _ = remove(key) }
        cold.removeAll { $0.run == run }
        hot.removeAll { $0.run == run }
    }

    private mutating func remove(_ key: ChunkKey) -> CachedChunk? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        bytes -= entry.memory
        if entry.isCold { coldBytes -= entry.memory }
        return entry.chunk
    }

    /// Lets go of one entry; nil when there is none.
    private mutating func evict() -> CachedChunk? {
        while true {
            let isCold = coldBytes > 0 && (coldBytes > budget / 4 || coldBytes == bytes)
            guard let key = isCold ? cold.popFirst() : hot.popFirst() else { return nil }
            guard let index = entries.index(forKey: key) else { continue }
            guard entries.values[index].wasHit else { return remove(key) }
            entries.values[index].wasHit = false
            if isCold {
                entries.values[index].isCold = false
                coldBytes -= entries.values[index].memory
            }
            hot.append(key)
        }
    }
}

/// Keys in the order they came.
private struct KeyQueue {
    private var keys: [ChunkKey] = []
    private var head = 0

    mutating func append(_ key: ChunkKey) { keys.append(key) }

    mutating func popFirst() -> ChunkKey? {
        guard head < keys.count else { return nil }
        let key = keys[head]
        head += 1
        if head > 64, head > keys.count / 2 {
            keys.removeFirst(head)
            head = 0
        }
        return key
    }

    mutating func removeAll(where isGone: (ChunkKey) -> Bool) {
        keys.removeFirst(head)
        head = 0
        keys.removeAll(where: isGone)
    }
}
