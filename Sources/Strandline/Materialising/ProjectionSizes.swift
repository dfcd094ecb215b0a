/// How much of a projection is kept in memory.
package struct ProjectionSizes: Sendable {
    /// Bytes that were written before they go to a run.
    ///
    /// Up to three times as many are read from the log by the opening that follows a kill.
    package var memory = 3 << 20
    /// Bytes that may be left to be read from the log by the next opening.
    package var rest = 1 << 20
    /// Bytes that are read from the log at most where nothing can be written.
    package var most = 1 << 30
    /// Bytes of runs.
    package var cache = 32 << 20
    /// Objects in runs that are set to the same values together, and not one by one, from so many on; of one block, a sixteenth.
    package var massUpdate = 4_096
    /// Runs are written, and not only read, as long as they can be used.
    package var isWritten = true

    package init() {}
}
