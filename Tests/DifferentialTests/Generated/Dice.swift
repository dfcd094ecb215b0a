import Simulation

/// Chance from one seed.
struct Dice {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    mutating func word() -> UInt64 { generator.next() }
    /// True so many times of a hundred.
    mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
    /// One of some; they must not be empty.
    mutating func pick<T>(_ list: [T]) -> T { list[number(0...(list.count - 1))] }
    mutating func some<T>(_ list: [T], atMost count: Int) -> [T] {
        Array(list.shuffled(using: &generator).prefix(number(0...count)))
    }
}
