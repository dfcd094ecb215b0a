/// The generator that all data comes from.
enum SplitMix {
    static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    static func draw(_ state: inout UInt64) -> UInt64 {
        state &+= step
        return mix(state)
    }

    static func mix(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
