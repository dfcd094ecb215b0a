package import EventLog

// Invariants
// * An object's slot has the writer of all its changes so far, or says that there are several; objects may share one.

/// Which objects may be part of a conflict: those that transactions of several branches changed, one of them beyond a vector.
///
/// It takes the same memory however many there are; so it may name a few too many, but never leaves one out.
package struct ConflictCandidates {
    private static let slots = 1 << 22
    private static let several = UInt16.max

    private var writers = [UInt16](repeating: 0, count: slots)
    private var isNew = [UInt64](repeating: 0, count: slots >> 6)
    private var numbers: [ReplicaID: UInt16] = [:]
    /// Whether there may be any.
    package private(set) var isEmpty = true

    package init() {}

    /// Takes note of a transaction.
    ///
    /// - Parameter beyond: whether conflicts that it is part of are wanted.
    package mutating func note(_ transaction: Transaction, beyond: Bool) {
        // So many writers share the last number, as if they were one that nobody else is.
        let next = UInt16(clamping: min(numbers.count + 1, Int(Self.several)))
        let writer = numbers[transaction.header.origin] ?? next
        numbers[transaction.header.origin] = writer
        for change in transaction.changes {
            guard let object = change.object else { continue }
            let slot = Self.slot(of: object)
            if writers[slot] == 0 {
                writers[slot] = writer
            } else if writers[slot] != writer {
                writers[slot] = Self.several
                isEmpty = false
            }
            if writer == Self.several { isEmpty = false }
            if beyond { isNew[slot >> 6] |= 1 << UInt64(slot & 63) }
        }
    }

    package func contains(_ object: ObjectID) -> Bool {
        let slot = Self.slot(of: object)
        return writers[slot] == Self.several && isNew[slot >> 6] & 1 << UInt64(slot & 63) != 0
    }

    private static func slot(of object: ObjectID) -> Int { object.hashValue & (slots - 1) }
}
