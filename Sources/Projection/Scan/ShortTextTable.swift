// Invariants
// * `codes.count` is a power of two, at most a quarter of it used, so that most texts are found at the first place looked at.
// * A place is free where `codes` has `free`; a key lies at the first place, from its hash on, that was free when it came.

/// A number for each of the texts of at most fifteen bytes it was given.
struct ShortTextTable: Sendable {
    /// The bytes of a text and, in the last one, how many they are.
    typealias Key = SIMD2<UInt64>

    static let free = UInt32.max
    static let longest = 15
    private var keys = [Key](repeating: Key(), count: 256)
    private var codes = [UInt32](repeating: ShortTextTable.free, count: 256)
    private var used = 0

    /// The number of a text; ``free`` when it has none.
    @inline(__always)
    func code(of key: Key) -> UInt32 { codes[place(of: key)] }

    mutating func insert(_ key: Key, _ code: UInt32) {
        let place = place(of: key)
        keys[place] = key
        codes[place] = code
        used += 1
        if used * 4 <= codes.count { return }
        let (oldKeys, oldCodes) = (keys, codes)
        keys = Array(repeating: Key(), count: oldKeys.count * 4)
        codes = Array(repeating: Self.free, count: oldKeys.count * 4)
        for (key, code) in zip(oldKeys, oldCodes) where code != Self.free {
            let place = self.place(of: key)
            keys[place] = key
            codes[place] = code
        }
    }

    @inline(__always)
    private func place(of key: Key) -> Int {
        let mask = codes.count - 1
        var bits = (key[0] ^ key[1] &* 0x9e37_79b9_7f4a_7c15) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 32) &* 0x94d0_49bb_1331_11eb
        var place = Int(truncatingIfNeeded: bits >> 32) & mask
        while codes[place] != Self.free, keys[place] != key { place = (place + 1) & mask }
        return place
    }
}
