public import Storage
import Synchronization

/// Random words that repeat: the same seed gives the same words in the same order.
///
/// Not for secrets.
public final class SeededRandom: RandomSource {
    private let generator: Mutex<SplitMix64>

    public init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

    public func next() -> UInt64 { generator.withLock { $0.next() } }
}
