package import Storage

extension StorageError {
    /// Whether a file of the projection is not what it should be, so that it is to be made anew from the log.
    ///
    /// Anything else passes, or is for the user to mend: that too many files are open, or who may read them.
    package var isDamage: Bool {
        switch code {
        case .malformed, .newerVersion, .notFound, .inputOutput, .isDirectory, .notDirectory: true
        default: false
        }
    }
}
