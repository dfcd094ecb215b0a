// Invariants
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

    init() { places = Array(repeating: Place(), count: 64) }

    /// Gives the number of the text of each of some rows to `body`; `make` gives that of a new text.
    @inline(__always)
    mutating func codes(
        utf8: [UInt8], ends: [Int], of rows: RowSelection, make: (String) -> UInt32, _ body: (Int, UInt32) -> Void
    ) {
        unsafe utf8.withUnsafeBufferPointer { utf8 in
            rows.forEach { row in
                let range = (row == 0 ? 0 : ends[row - 1])..<ends[row]
                let text = unsafe UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: utf8[range]))
                let hash = unsafe Self.hash(text)
                let place = unsafe place(of: text, hash)
                var code = places[place].code
                if code == Self.free {
                    code = make(unsafe String(decoding: text, as: UTF8.self))
                    unsafe insert(text, hash, code, at: place)
                }
                body(row, code)
            }
        }
    }

    @inline(__always)
    private func place(of text: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place].code != Self.free {
            if places[place].hash == hash, unsafe equals(places[place], text) { return place }
            place = (place + 1) & mask
        }
        return place
    }

    @inline(__always)
    private func equals(_ place: Place, _ text: UnsafeRawBufferPointer) -> Bool {
        guard Int(place.length) == text.count else { return false }
        return unsafe texts.withUnsafeBytes { texts in
            for index in 0..<text.count where unsafe texts[place.start + index] != text[index] { return false }
            return true
        }
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

    /// Mixes eight bytes at a time; the last eight may overlap the ones before.
    @inline(__always)
    private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var state = UInt64(text.count) &* 0x9e37_79b9_7f4a_7c15
        @inline(__always) func mix(_ word: UInt64) {
            state = (state ^ word) &* 0xbf58_476d_1ce4_e5b9
            state ^= state >> 29
        }
        let count = text.count
        if count >= 8 {
            var offset = 0
            while offset + 8 <= count {
                unsafe mix(text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            if offset < count { unsafe mix(text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)) }
        } else if count >= 4 {
            unsafe mix(
                UInt64(text.loadUnaligned(fromByteOffset: 0, as: UInt32.self)) << 32
                    | UInt64(text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)))
        } else {
            var word: UInt64 = 0
            for index in 0..<count { unsafe word = word << 8 | UInt64(text[index]) }
            mix(word)
        }
        return state ^ state >> 32
    }
}
