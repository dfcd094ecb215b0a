/// What a store records in its log files: see `docs/GUIDE.md`.
package struct RecordOptions: Sendable {
    /// Whether anything is written.
    package var isWritten = true
    /// What matters less is not written.
    package var level = RecordImportance.debug
    /// A file that would be longer is ended, and the next one begun.
    package var fileBytes = 1 << 20
    /// So many files are kept, the oldest removed first; those that other processes write to are not.
    package var files = 8
    /// So many records wait for the disk at most; those that come when it is slower are counted.
    package var waiting = 1_024

    package init() {}
}
