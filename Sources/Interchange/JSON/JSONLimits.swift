/// What a parser accepts at most, so that a hostile text can exhaust neither the stack nor the memory.
package struct JSONLimits: Sendable {
    /// The parser calls itself once per level, so nesting costs stack; no configuration may go beyond this.
    package static let deepest = 1_000

    /// How many arrays and objects may lie within each other; 128 unless said otherwise, at most ``deepest``.
    package var depth: Int
    /// The longest string or number, in bytes of its text without the quotes; 64 MiB unless said otherwise.
    package var tokenLength: Int

    package init(depth: Int = 128, tokenLength: Int = 64 << 20) {
        precondition((1...Self.deepest).contains(depth), "the depth limit must be between 1 and \(Self.deepest)")
        precondition(tokenLength > 0, "the token length limit must be positive")
        self.depth = depth
        self.tokenLength = tokenLength
    }
}
