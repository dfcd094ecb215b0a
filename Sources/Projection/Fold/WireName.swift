import EventLog

/// The wire name of an entity, compared by its UTF-8 bytes.
///
/// Swift compares strings by canonical equivalence, which depends on a Unicode version; two replicas must not.
package struct WireName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (a: WireName, b: WireName) -> Bool { a.text.hasBytes(of: b.text) }
    package static func < (a: WireName, b: WireName) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    package var description: String { text }
}

extension WireName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}
