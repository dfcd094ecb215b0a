/// Words that follow from a seed, each to be had without those before it.
///
/// The mixing function is that of SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
struct SeededWords: RandomNumberGenerator, Sendable {
    private let seed: UInt64
    private var position: UInt64 = 0

    /// - Parameter path: numbers that tell this stream from others of the same seed.
    init(seed: UInt64, _ path: UInt64...) {
        self.seed = path.reduce(Self.mix(seed)) { Self.mix($0 ^ Self.mix($1 &+ Self.step)) }
    }

    mutating func next() -> UInt64 {
        position &+= 1
        return word(at: position - 1)
    }

    /// The word that the n-th call of ``next()`` gives.
    func word(at index: UInt64) -> UInt64 { Self.mix(seed &+ (index &+ 1) &* Self.step) }

    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mix(_ word: UInt64) -> UInt64 {
        var word = word
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
