// Invariants
// * `places` ascend by offset; none is given twice.

/// Where the groups of a segment begin, to check what points at them.
struct GroupPlaces {
    private var places: [LogPosition] = []
    /// Groups are missing, because they could not be read.
    var isBroken = false

    mutating func add(_ place: LogPosition) {
        if let last = places.last, last.offset >= place.offset { return }
        places.append(place)
    }

    /// The place at an offset, or nil when no group begins or ends there.
    subscript(offset: UInt64) -> LogPosition? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low].offset == offset ? places[low] : nil
    }
}
