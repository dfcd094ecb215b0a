import Storage

// Invariants
// * Every id has one number, in the order of first use. Number 0 is the transaction's own origin; in a baseline, which has
//   none, it is never given out.

/// The numbers that stand for replicas in the bytes of one part.
struct OriginTable {
    /// By number; the one at 0 is not stored.
    private(set) var ids: [ReplicaID]
    private var numbers: [ReplicaID: Int]
    private var last: (id: ReplicaID, number: Int)?

    init(own: ReplicaID?) {
        ids = [own ?? ReplicaID(.zero)]
        numbers = own.map { [$0: 0] } ?? [:]
    }

    mutating func number(of id: ReplicaID) -> Int {
        if let last, id == last.id { return last.number }
        let number = numbers[id] ?? ids.count
        if number == ids.count {
            ids.append(id)
            numbers[id] = number
        }
        last = (id, number)
        return number
    }
}
