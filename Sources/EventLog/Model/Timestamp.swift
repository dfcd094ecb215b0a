/// A moment of the hybrid logical clock: 48 bits of milliseconds since 1970 and a 16-bit counter, compared as one number.
///
/// After Kulkarni et al., *Logical Physical Clocks and Consistent Snapshots in Globally Distributed Databases* (2014).
public struct Timestamp: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// - Parameter milliseconds: since 1970; cut to 48 bits (the year 10889).
    public init(milliseconds: UInt64, counter: UInt16 = 0) {
        rawValue = min(milliseconds, 0xFFFF_FFFF_FFFF) << 16 | UInt64(counter)
    }

    public static let zero = Timestamp(rawValue: 0)

    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: UInt64 { rawValue >> 16 }
    public var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.rawValue < b.rawValue }

    public var description: String { "\(milliseconds).\(counter)" }
}

/// Which write of a register wins: the higher timestamp, then the higher replica.
///
/// Total, so no two replicas can disagree.
public struct Stamp: Hashable, Sendable, Comparable {
    public let timestamp: Timestamp
    public let replica: ReplicaID

    public init(timestamp: Timestamp, replica: ReplicaID) {
        self.timestamp = timestamp
        self.replica = replica
    }

    public static func < (a: Stamp, b: Stamp) -> Bool {
        a.timestamp != b.timestamp ? a.timestamp < b.timestamp : a.replica < b.replica
    }
}

/// The hybrid logical clock of a store.
///
/// A value: the caller owns it and decides when it advances.
package struct HybridClock: Sendable {
    /// The highest timestamp made or seen.
    package private(set) var last: Timestamp

    package init(last: Timestamp = .zero) { self.last = last }

    /// The timestamp for a new local transaction: later than all made or seen.
    ///
    /// A full counter carries into the milliseconds.
    package mutating func tick(now milliseconds: UInt64) -> Timestamp {
        let wall = Timestamp(milliseconds: milliseconds)
        last = wall > last ? wall : Timestamp(rawValue: last.rawValue + 1)
        return last
    }

    /// Takes note of a timestamp that was applied from elsewhere.
    package mutating func observe(_ timestamp: Timestamp) {
        last = max(last, timestamp)
    }
}
