// Invariants
// * `set`, once made, has exactly the elements of `ids`.

/// The objects of a change group in order, with an answer to "is this one among them" that costs little when they ascend.
struct ObjectList {
    private(set) var ids: [ObjectID] = []
    private var isAscending = true
    private var set: Set<ObjectID>?

    mutating func append(_ id: ObjectID) {
        if isAscending, let last = ids.last, id < last { isAscending = false }
        ids.append(id)
        set?.insert(id)
    }

    mutating func contains(_ id: ObjectID) -> Bool {
        guard let first = ids.first, let last = ids.last else { return false }
        if isAscending { return first <= id && id <= last && ids.ascendingContains(id) }
        if let set { return set.contains(id) }
        let made = Set(ids)
        set = made
        return made.contains(id)
    }
}

extension Array where Element: Comparable {
    /// Whether an ascending array has the element.
    func ascendingContains(_ element: Element) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == element
    }
}
