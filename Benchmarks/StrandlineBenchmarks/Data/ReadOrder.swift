/// The posts that random reads ask for, and the constants of queries: the order that `Benchmarks/Peers/workload.h` gives.
package struct ReadOrder {
    private static let salt: UInt64 = 0x9017_9017_9017_9017
    private var state: UInt64

    package init(_ workload: Workload) { state = workload.seed ^ Self.salt }

    /// A number below `end`.
    package mutating func next(below end: UInt64) -> UInt64 { SplitMix.draw(&state).multipliedFullWidth(by: end).high }
}
