/// What a parser accepts at most, so that a hostile text can exhaust neither the stack nor the memory.
package struct JSONLimits: Sendable {
    /// The parser calls itself once per level, so nesting costs stack; no configuration may go beyond this.
    package static let deepest = 1_000
    /// The longest number, in bytes of its text; no Double needs more than some 1,100 digits to be written exactly.
    package static let longestNumber = 16 << 10

    /// How many arrays and objects may lie within each other; 128 unless said otherwise, at most ``deepest``.
    package var depth: Int
    /// The longest string, in bytes of its text without the quotes; 64 MiB unless said otherwise.
    package var stringLength: Int

    package init(depth: Int = 128, stringLength: Int = 64 << 20) {
        precondition((1...Self.deepest).contains(depth), "the depth limit must be between 1 and \(Self.deepest)")
        precondition(stringLength > 0, "the string length limit must be positive")
        self.depth = depth
        self.stringLength = stringLength
    }
}
