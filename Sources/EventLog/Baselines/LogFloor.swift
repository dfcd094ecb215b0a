package import Storage

/// Below what a log has no transactions any more, and which baselines stand for them.
package struct LogFloor: Sendable, Equatable {
    /// That before the first segment, then those that came from elsewhere; together they stand for everything at or below the floor.
    package let baselines: [Digest128]
    /// The first segment, and the last LSN before it.
    package let firstOrdinal: UInt64, frontLSN: UInt64
    /// The last LSN that a reader from there on need not look at the floor.
    package let lastLSN: UInt64
    /// Up to where, by branches as they were when it was made.
    package let positions: [FloorPosition]
    /// How many of the positions are those of the first baseline: nothing at or below them is in the log.
    let gone: Int

    /// A hash over which baselines these are.
    package var identity: Digest128 {
        var writer = ByteWriter()
        for baseline in baselines { writer.digest(baseline) }
        return Checksum.xxh3Wide(writer.bytes.span)
    }
}
