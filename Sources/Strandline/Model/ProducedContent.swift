/// New content of a blob that is made while it is written, so that it is never in memory whole.
///
/// Each object of this class is equal to itself only.
package final class ProducedContent: Hashable, Sendable {
    /// Fills the front of a buffer and returns how many bytes it put there; 0 at the end.
    package typealias Reader = (inout MutableSpan<UInt8>) throws -> Int

    /// In bytes: what a reader gives in all.
    package let length: UInt64
    /// Begins anew at the first byte; each reader gives the same bytes.
    package let open: @Sendable () throws -> Reader

    package init(length: UInt64, open: @escaping @Sendable () throws -> Reader) {
        self.length = length
        self.open = open
    }

    package static func == (a: ProducedContent, b: ProducedContent) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
