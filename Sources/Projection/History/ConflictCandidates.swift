package import EventLog

// Invariants
// * An object has a slot in each of two tables, with the writer of all its changes so far, or saying that there are several.
// * Objects may share a slot; two that share both are rare.

/// Which objects may be part of a conflict: those that transactions of several branches changed, one of them beyond a vector.
///
/// It takes the same memory however many there are; so it may name a few too many, but never leaves one out.
package struct ConflictCandidates {
    private static let slots = 1 << 23
    private static let several = UInt16.max

    /// One table behind the other.
    private var writers = [UInt16](repeating: 0, count: 2 * slots)
    private var isNew = [UInt64](repeating: 0, count: 2 * slots >> 6)
    private var numbers: [ReplicaID: UInt16] = [:]
    /// Whether there may be any.
    package private(set) var isEmpty = true

    package init() {}

    /// Takes note of a change.
    ///
    /// - Parameters:
    ///   - origin: who wrote it.
    ///   - beyond: whether conflicts that its transaction is part of are wanted.
    package mutating func note(_ change: Change, by origin: ReplicaID, beyond: Bool) {
        guard let object = change.object else { return }
        // So many writers share the last number, as if they were one that nobody else is.
        let next = UInt16(clamping: min(numbers.count + 1, Int(Self.several)))
        let writer = numbers[origin] ?? next
        numbers[origin] = writer
        if writer == Self.several { isEmpty = false }
        let (first, second) = Self.slots(of: object)
        for slot in [first, second] {
            if writers[slot] == 0 {
                writers[slot] = writer
            } else if writers[slot] != writer {
                writers[slot] = Self.several
                isEmpty = false
            }
            if beyond { isNew[slot >> 6] |= 1 << UInt64(slot & 63) }
        }
    }

    package func contains(_ object: ObjectID) -> Bool {
        let (first, second) = Self.slots(of: object)
        return [first, second].allSatisfy { slot in
            writers[slot] == Self.several && isNew[slot >> 6] & 1 << UInt64(slot & 63) != 0
        }
    }

    private static func slots(of object: ObjectID) -> (Int, Int) {
        let hash = UInt(bitPattern: object.hashValue)
        return (Int(hash & UInt(slots - 1)), slots + Int(hash >> 32 & UInt(slots - 1)))
    }
}
