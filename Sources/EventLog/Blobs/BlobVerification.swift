package import Storage

/// What ``BlobStore/verify(progress:)`` found.
package struct BlobVerification: Sendable, Equatable {
    /// A file whose bytes do not match its name, or cannot be read.
    package struct Damage: Sendable, Equatable {
        package var id: BlobID
        package var path: String
        /// What the bytes are, when they could be read.
        package var actual: BlobID?
        /// Why they could not be read.
        package var failure: StorageError?
    }

    /// Files hashed, and their bytes.
    package var files = 0
    package var bytes: UInt64 = 0
    package var damaged: [Damage] = []
    /// Whole blobs under the right name in the wrong directory, where nobody looks for them.
    package var misplaced: [String] = []
    /// Anything under blobs/ that has not the name or nature of a blob.
    ///
    /// Never opened.
    package var unknown: [String] = []

    package var isClean: Bool { damaged.isEmpty && misplaced.isEmpty && unknown.isEmpty }
}
