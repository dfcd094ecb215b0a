/// A blob that has a file in this store.
package struct BlobEntry: Sendable, Equatable {
    package var id: BlobID
    /// Bytes in the file.
    package var length: UInt64
    /// When the file was written, in milliseconds since 1970.
    package var written: UInt64
}
