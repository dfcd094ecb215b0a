// Invariants
// * `ranges` are guarded by the mutex: per origin ascending and apart.

import EventLog
import Synchronization

/// Which transactions were written through this store, and not by others that have the same files open.
final class OwnTransactions: Sendable {
    private struct Ranges {
        /// Two processes that write by turns make a range each time; so many are kept, and what an observer has not read by then
        /// counts as others'.
        static let most = 1 << 16

        private var list: [ClosedRange<UInt64>] = []

        mutating func insert(_ sequence: UInt64) {
            guard let last = list.last, last.upperBound + 1 == sequence else {
                list.append(sequence...sequence)
                if list.count > Self.most { list.removeFirst(Self.most / 2) }
                return
            }
            list[list.count - 1] = last.lowerBound...sequence
        }

        func contains(_ sequence: UInt64) -> Bool {
            var low = 0
            var high = list.count
            while low < high {
                let middle = (low + high) / 2
                if list[middle].upperBound < sequence { low = middle + 1 } else { high = middle }
            }
            return low < list.count && list[low].contains(sequence)
        }
    }

    private let ranges = Mutex<[ReplicaID: Ranges]>([:])

    /// Notes a transaction; those of one origin come in order.
    func insert(_ origin: ReplicaID, _ sequence: UInt64) {
        ranges.withLock { $0[origin, default: Ranges()].insert(sequence) }
    }

    func contains(_ origin: ReplicaID, _ sequence: UInt64) -> Bool {
        ranges.withLock { $0[origin]?.contains(sequence) ?? false }
    }
}
