// Invariants
// * `keys.count` is a power of two, at most half of it used; a place is free where `codes` has `free`.
// * A key lies at the first place, from its hash on, that was free when it came.

/// A number for each of the 64-bit words it was given.
struct CodeTable: Sendable {
    private static let free = UInt32.max
    private var keys: [UInt64]
    private var codes: [UInt32]
    private var count = 0

    init() {
        keys = Array(repeating: 0, count: 64)
        codes = Array(repeating: Self.free, count: 64)
    }

    /// The number of a word; of a new one that which `make` gives.
    @inline(__always)
    mutating func code(of key: UInt64, make: () -> UInt32) -> UInt32 {
        let place = place(of: key)
        let code = codes[place]
        if code != Self.free { return code }
        let new = make()
        insert(key, new, at: place)
        return new
    }

    @inline(__always)
    private func place(of key: UInt64) -> Int {
        let mask = keys.count - 1
        var place = Int(truncatingIfNeeded: Self.mixed(key)) & mask
        while codes[place] != Self.free, keys[place] != key { place = (place + 1) & mask }
        return place
    }

    @inline(__always)
    private static func mixed(_ key: UInt64) -> UInt64 {
        // The finaliser of SplitMix64, without which words that differ in their upper bits would meet.
        var bits = (key ^ key >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }

    private mutating func insert(_ key: UInt64, _ code: UInt32, at place: Int) {
        keys[place] = key
        codes[place] = code
        count += 1
        if count * 2 > keys.count { grow() }
    }

    private mutating func grow() {
        let (oldKeys, oldCodes) = (keys, codes)
        keys = Array(repeating: 0, count: oldKeys.count * 2)
        codes = Array(repeating: Self.free, count: oldKeys.count * 2)
        for (key, code) in zip(oldKeys, oldCodes) where code != Self.free {
            let place = place(of: key)
            keys[place] = key
            codes[place] = code
        }
    }
}
