/// What a row is found by besides its id: hashes of its unique key, of what it refers to, of the targets of its edges.
///
/// A run knows nothing of their meaning. Two terms may share a hash, so whoever looks one up checks the objects it gets.
package struct RunTerms: Sendable {
    package var hashes: [UInt64]

    package init(_ hashes: [UInt64] = []) { self.hashes = hashes }
}
