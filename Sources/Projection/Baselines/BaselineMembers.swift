// Invariants
// * `firsts` ascend, and are whole once every object was read.

import EventLog

/// Reads the objects of a baseline, and then tells which it has; a body or two in memory.
struct BaselineMembers {
    private let file: BaselineFile
    /// The first object of each body that has any.
    private var firsts: [(id: ObjectID, body: Int)] = []
    private var known: (body: Int, ids: Set<ObjectID>)?

    init(_ file: BaselineFile) { self.file = file }

    /// Calls with every object, whole, in ascending order.
    mutating func forEachObject(_ body: (Baseline.Object) throws -> Void) throws {
        var pending: Baseline.Object?
        for number in file.bodies.indices {
            var reader = try file.reader(number)
            var isFirst = true
            while let piece = try reader.next() {
                if isFirst { firsts.append((piece.id, number)) }
                isFirst = false
                if pending?.id == piece.id {
                    pending?.registers += piece.registers
                    pending?.sums += piece.sums
                    pending?.edges += piece.edges
                    continue
                }
                if let pending { try body(pending) }
                pending = piece
            }
        }
        if let pending { try body(pending) }
    }

    /// Whether an object is in the baseline; asked after all were read.
    mutating func contains(_ id: ObjectID) throws -> Bool {
        var (low, high) = (0, firsts.count)
        while low < high {
            let middle = (low + high) / 2
            if firsts[middle].id <= id { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return false }
        let number = firsts[low - 1].body
        if known?.body != number {
            var ids: Set<ObjectID> = []
            var reader = try file.reader(number)
            while let object = try reader.next() { ids.insert(object.id) }
            known = (number, ids)
        }
        return known?.ids.contains(id) ?? false
    }
}
