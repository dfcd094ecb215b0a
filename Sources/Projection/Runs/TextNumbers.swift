import Synchronization

/// The numbers of a block's texts in the pool that numbered them last.
final class TextNumbers: Sendable {
    private let held: Mutex<(pool: Int, codes: [UInt32])>
    private let count: Int

    init(_ texts: PooledTexts) {
        held = Mutex((texts.pool.number, texts.codes))
        count = texts.codes.count
    }

    func texts(in pool: TextPool) -> PooledTexts? {
        held.withLock { $0.pool == pool.number ? PooledTexts(pool: pool, codes: $0.codes) : nil }
    }

    func replace(by texts: PooledTexts) { held.withLock { $0 = (texts.pool.number, texts.codes) } }

    /// About how much memory it takes.
    var memory: Int { 128 + count * 4 }
}
