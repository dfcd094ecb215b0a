package import Storage

/// One body of a baseline, as its file's table tells of it.
package struct BaselineBody: Sendable, Hashable {
    /// The XXH128 of its logical bytes.
    package let digest: Digest128
    /// Its bytes, logical and as they are stored.
    package let logicalSize: UInt32, storedSize: UInt32
    /// Where its frame lies in the file.
    let offset: UInt64
}
