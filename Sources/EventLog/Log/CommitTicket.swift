/// Where a finished transaction stands in the queue to the disk.
///
/// A failed commit begins a new epoch: what had a ticket of an earlier one and was not durable is not in the log, or not for sure.
package struct CommitTicket: Hashable, Sendable {
    package let epoch: UInt64
    package let lsn: UInt64

    package init(epoch: UInt64, lsn: UInt64) {
        self.epoch = epoch
        self.lsn = lsn
    }
}
