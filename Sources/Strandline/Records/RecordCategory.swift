/// Which part of a store a record is about.
package enum RecordCategory: String, Sendable, CaseIterable {
    /// The log, the projection, blobs, and what opening had to mend.
    case store
    /// What is done later, and when.
    case scheduler
    /// What wakes whom: commits of other processes, changes of a folder.
    case push
    /// Peers, and what goes to and fro.
    case sync
}
