/// What became of transactions that came from elsewhere.
package struct ReceivedTransactions: Sendable, Equatable {
    /// How many were new here.
    package var new = 0
    /// How many were here already.
    package var known = 0
    /// How many of the new ones are held back, because their clock is too far ahead.
    package var held = 0
    /// The delivery showed that its origin had forked.
    package var isFork = false

    package init() {}

    package static func + (a: ReceivedTransactions, b: ReceivedTransactions) -> ReceivedTransactions {
        var sum = a
        sum.new += b.new
        sum.known += b.known
        sum.held += b.held
        sum.isFork = a.isFork || b.isFork
        return sum
    }
}
