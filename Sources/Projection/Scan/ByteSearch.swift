/// Finds bytes in others.
///
/// Sixteen places at a time it compares the first and the last byte, and looks closer where both fit (W. Muła, *SIMD-friendly
/// algorithms for substring searching*, 2016).
struct ByteSearch {
    private let needle: [UInt8]
    private let foldsCase: Bool

    /// - Parameter foldsCase: capitals of the text are taken as small letters; the needle must have none then.
    init(_ needle: [UInt8], foldsCase: Bool) {
        precondition(!needle.isEmpty, "nothing is found everywhere")
        self.needle = needle
        self.foldsCase = foldsCase
    }

    @inline(__always)
    static func folded(_ byte: UInt8, _ foldsCase: Bool) -> UInt8 {
        foldsCase && UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// Where the bytes occur first within a range; nil if they do not.
    func first(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        guard let base = unsafe UnsafeRawPointer(bytes.baseAddress) else { return nil }
        let reach = needle.count - 1
        let (head, tail) = (needle[0], needle[reach])
        let headCase = SIMD16<UInt8>(repeating: caseBit(head))
        let tailCase = SIMD16<UInt8>(repeating: caseBit(tail))
        let (heads, tails) = (SIMD16(repeating: head), SIMD16(repeating: tail))
        var position = range.lowerBound
        while position + reach + 16 <= range.upperBound {
            let fromHead = unsafe base.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self) | headCase
            let fromTail = unsafe base.loadUnaligned(fromByteOffset: position + reach, as: SIMD16<UInt8>.self) | tailCase
            // A byte of ones where both fit.
            let fitting = unsafe unsafeBitCast((fromHead .== heads) .& (fromTail .== tails), to: SIMD2<UInt64>.self)
            if fitting[0] | fitting[1] != 0 {
                for half in 0..<2 {
                    var hits = fitting[half]
                    while hits != 0 {
                        let place = hits.trailingZeroBitCount / 8
                        let found = position + half * 8 + place
                        if unsafe fits(bytes, found) { return found }
                        hits &= ~(0xff << UInt64(place * 8))
                    }
                }
            }
            position += 16
        }
        while position + reach < range.upperBound {
            if unsafe fits(bytes, position) { return position }
            position += 1
        }
        return nil
    }

    /// What makes a capital of a text the small letter that is looked for.
    private func caseBit(_ byte: UInt8) -> UInt8 {
        foldsCase && UInt8(ascii: "a") <= byte && byte <= UInt8(ascii: "z") ? 0x20 : 0
    }

    @inline(__always)
    private func fits(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        for index in needle.indices where unsafe Self.folded(bytes[start + index], foldsCase) != needle[index] {
            return false
        }
        return true
    }
}
