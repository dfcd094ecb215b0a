/// A transport as the contract suite sees it: something that makes connected pairs.
package struct ContractAdapter: Sendable, CustomStringConvertible {
    package let description: String
    /// How often a connection is made and closed to see whether anything is left; fewer where that is slow.
    package let rounds: Int
    /// Makes a connection; may wait for the other end.
    package let connect: @Sendable () throws -> ConnectedPair

    package init(_ name: String, rounds: Int = 60, connect: @escaping @Sendable () throws -> ConnectedPair) {
        description = name
        self.rounds = rounds
        self.connect = connect
    }
}
