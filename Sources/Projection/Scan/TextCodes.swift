// Invariants
// * Texts of up to fifteen bytes are in `shorts`, the others in `places`.
// * `places.count` is a power of two, at most half of it used; a place is free where its code is `free`.
// * The text of a place lies in `texts` from `start` on.
// * No pointer leaves this file.

import EventLog

/// A number for each of the texts it was given, told apart by their bytes.
struct TextCodes: Sendable {
    private struct Place {
        var hash: UInt64 = 0
        var start = 0
        var length: Int32 = 0
        var code: UInt32 = TextCodes.free
    }

    private static let free = UInt32.max
    private var places: [Place]
    private var texts: [UInt8] = []
    private var used = 0
    private var shorts = ShortTextTable()

    init() { places = Array(repeating: Place(), count: 64) }

    /// Sets the number of the text of each of some rows; `make` gives that of a new text.
    mutating func codes(
        utf8: [UInt8], ends: [Int], of rows: RowSelection, into codes: inout [UInt32], make: (String) -> UInt32
    ) {
        // Most texts are known: those are found without a change to the table, the others after them, in order.
        let unknown = known(utf8: utf8, ends: ends, of: rows, into: &codes)
        unsafe utf8.withUnsafeBufferPointer { utf8 in
            for row in unknown {
                let range = (row == 0 ? 0 : ends[row - 1])..<ends[row]
                codes[row] = unsafe code(of: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: utf8[range])), make: make)
            }
        }
    }

    /// The number of a text; `make` gives that of a new one.
    mutating func code(of text: String, make: (String) -> UInt32) -> UInt32 {
        var text = text
        return text.withUTF8 { unsafe code(of: UnsafeRawBufferPointer($0), make: make) }
    }

    private mutating func code(of text: UnsafeRawBufferPointer, make: (String) -> UInt32) -> UInt32 {
        if text.count <= ShortTextTable.longest {
            let key = unsafe Self.shortKey(text)
            let known = shorts.code(of: key)
            if known != ShortTextTable.free { return known }
            let code = make(unsafe String(decoding: text, as: UTF8.self))
            shorts.insert(key, code)
            return code
        }
        let hash = unsafe Self.hash(text)
        let (place, known) = unsafe places.withUnsafeBufferPointer { places in
            unsafe texts.withUnsafeBytes { texts in unsafe Self.find(text, hash, places, texts) }
        }
        if known != Self.free { return known }
        let code = make(unsafe String(decoding: text, as: UTF8.self))
        unsafe insert(text, hash, code, at: place)
        return code
    }

    /// Sets the numbers of the texts that have one, and gives the rows of the others.
    private func known(utf8: [UInt8], ends: [Int], of rows: RowSelection, into codes: inout [UInt32]) -> [Int] {
        precondition(ends.count == rows.rowCount && codes.count == rows.rowCount, "a number for each row")
        var unknown: [Int] = []
        let shorts = shorts
        unsafe utf8.withUnsafeBytes { utf8 in
            unsafe ends.withUnsafeBufferPointer { ends in
                unsafe places.withUnsafeBufferPointer { places in
                    unsafe texts.withUnsafeBytes { texts in
                        unsafe codes.withUnsafeMutableBufferPointer { codes in
                            rows.eachRow { row in
                                let range = unsafe (row == 0 ? 0 : ends[row - 1])..<ends[row]
                                let text = unsafe UnsafeRawBufferPointer(rebasing: utf8[range])
                                // Short texts that end the block are left to the other way, which reads no more than them.
                                let code =
                                    if text.count > ShortTextTable.longest {
                                        unsafe Self.find(text, Self.hash(text), places, texts).code
                                    } else if range.lowerBound + 16 <= utf8.count {
                                        unsafe shorts.code(of: Self.shortKey(utf8, range))
                                    } else {
                                        Self.free
                                    }
                                if code == Self.free { unknown.append(row) }
                                unsafe codes[row] = code
                            }
                        }
                    }
                }
            }
        }
        return unknown
    }

    /// The key of a short text that sixteen bytes can be read from.
    @inline(__always)
    private static func shortKey(_ utf8: UnsafeRawBufferPointer, _ range: Range<Int>) -> ShortTextTable.Key {
        let count = range.count
        let first = unsafe utf8.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self).littleEndian
        let second = unsafe utf8.loadUnaligned(fromByteOffset: range.lowerBound + 8, as: UInt64.self).littleEndian
        return ShortTextTable.Key(
            first & .max >> UInt64(64 - 8 * min(count, 8)),
            second & .max >> UInt64(64 - 8 * max(count - 8, 0)) | UInt64(count) << 56)
    }

    private static func shortKey(_ text: UnsafeRawBufferPointer) -> ShortTextTable.Key {
        var key = ShortTextTable.Key(0, UInt64(text.count) << 56)
        for index in 0..<text.count { unsafe key[index / 8] |= UInt64(text[index]) << UInt64(index % 8 * 8) }
        return key
    }

    /// Where a text is, or belongs, and its number.
    @inline(__always)
    private static func find(
        _ text: UnsafeRawBufferPointer, _ hash: UInt64, _ places: UnsafeBufferPointer<Place>, _ texts: UnsafeRawBufferPointer
    ) -> (place: Int, code: UInt32) {
        let mask = places.count - 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while true {
            let place = unsafe places[index]
            if place.code == free { return (index, free) }
            if place.hash == hash, Int(place.length) == text.count, unsafe equals(text, texts, place.start) {
                return (index, place.code)
            }
            index = (index + 1) & mask
        }
    }

    @inline(__always)
    private static func equals(_ text: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var offset = 0
        while offset + 8 <= text.count {
            let word = unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if unsafe word != texts.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self) { return false }
            offset += 8
        }
        while offset < text.count {
            if unsafe text[offset] != texts[start + offset] { return false }
            offset += 1
        }
        return true
    }

    private mutating func insert(_ text: UnsafeRawBufferPointer, _ hash: UInt64, _ code: UInt32, at place: Int) {
        places[place] = Place(hash: hash, start: texts.count, length: Int32(clamping: text.count), code: code)
        unsafe texts.append(contentsOf: text)
        used += 1
        if used * 2 <= places.count { return }
        let old = places
        places = Array(repeating: Place(), count: old.count * 2)
        let mask = places.count - 1
        for entry in old where entry.code != Self.free {
            var place = Int(truncatingIfNeeded: entry.hash) & mask
            while places[place].code != Self.free { place = (place + 1) & mask }
            places[place] = entry
        }
    }

    /// Of at least eight bytes: mixes eight at a time; the last eight may overlap the ones before.
    @inline(__always)
    private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var state = UInt64(text.count) &* 0x9e37_79b9_7f4a_7c15
        @inline(__always) func mix(_ word: UInt64) {
            state = (state ^ word) &* 0xbf58_476d_1ce4_e5b9
            state ^= state >> 29
        }
        var offset = 0
        while offset + 8 <= text.count {
            unsafe mix(text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        if offset < text.count { unsafe mix(text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)) }
        return state ^ state >> 32
    }
}
