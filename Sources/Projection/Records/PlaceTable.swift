// Invariants
// * A slot is 0, or the upper half of a hash above a place plus one; a place lies in the first free slot from where its hash points.
// * At most half of the slots are taken.
// * A larger table is filled in the order in which the places were put in first.
// * Places are taken out in the opposite order of being put in, so that nobody's way to a slot is broken.

/// Finds entries of a list by a hash: an open-addressed table of their places.
struct PlaceTable: Sendable {
    private var slots: [UInt64] = []
    private var count = 0
    private static let upper: UInt64 = 0xFFFF_FFFF_0000_0000

    /// About how much memory it takes.
    var bytes: Int { slots.count * 8 }

    /// The place with a hash for which `isMatch` holds.
    @inline(__always)
    func find(_ hash: UInt64, _ isMatch: (Int32) -> Bool) -> Int32? {
        if slots.isEmpty { return nil }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let held = slots[slot]
            if (held ^ hash) & Self.upper == 0 {
                let place = Int32(truncatingIfNeeded: held & 0xFFFF_FFFF) - 1
                if isMatch(place) { return place }
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Whether there is no room for another one; then a ``larger`` table is to be filled.
    var isFull: Bool { (count + 1) * 2 > slots.count }

    /// An empty table with twice the room.
    var larger: PlaceTable {
        var table = PlaceTable()
        table.slots = [UInt64](repeating: 0, count: max(64, slots.count * 2))
        return table
    }

    mutating func removeAll() {
        for slot in slots.indices { slots[slot] = 0 }
        count = 0
    }

    /// Puts in a place where there is room: in the place of an earlier one, if there is one.
    mutating func put(_ hash: UInt64, _ place: Int32, after previous: Int32) {
        if previous >= 0 { replace(hash, previous, by: place) } else { put(hash, place) }
    }

    private mutating func put(_ hash: UInt64, _ place: Int32) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = (hash & Self.upper) | UInt64(place + 1)
        count += 1
    }

    /// Puts one place where another one was.
    mutating func replace(_ hash: UInt64, _ old: Int32, by new: Int32) {
        if let slot = slot(hash, old) { slots[slot] = (hash & Self.upper) | UInt64(new + 1) }
    }

    /// Takes out what was put in last of what is there.
    mutating func removeLast(_ hash: UInt64, _ place: Int32) {
        guard let slot = slot(hash, place) else { return }
        slots[slot] = 0
        count -= 1
    }

    private func slot(_ hash: UInt64, _ place: Int32) -> Int? {
        if slots.isEmpty { return nil }
        let mask = slots.count - 1
        let wanted = (hash & Self.upper) | UInt64(place + 1)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] == wanted { return slot }
            slot = (slot + 1) & mask
        }
        return nil
    }
}
