package import EventLog

/// A line of transactions that a replica lacks: everything up to a tip of its peer.
///
/// It does not know where its own transactions of the origin and the peer's part, so it names some of its own: the last, and ever
/// fewer before it. The peer goes on behind the highest of them that lies on the way to the tip, or begins at the start.
package struct Want: Hashable, Sendable {
    package var tip: Tip
    /// Descending by sequence.
    package var locators: [BranchPosition]

    package init(tip: Tip, locators: [BranchPosition]) {
        self.tip = tip
        self.locators = locators
    }
}
