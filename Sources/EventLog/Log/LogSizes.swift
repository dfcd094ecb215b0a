/// From which sizes on a log does things another way.
///
/// A reader does not depend on them.
package struct LogSizes: Sendable, Equatable {
    /// The first segment; each next one is twice as large, up to the largest.
    package var smallestSegment: UInt64
    package var largestSegment: UInt64
    /// A transaction above this is staged in a file of its own.
    package var stagingThreshold: Int

    /// Those that SPEC.md names, unless told otherwise.
    package init(
        smallestSegment: UInt64 = SegmentFormat.smallestSegment, largestSegment: UInt64 = SegmentFormat.largestSegment,
        stagingThreshold: Int = SegmentFormat.stagingThreshold
    ) {
        self.smallestSegment = smallestSegment
        self.largestSegment = largestSegment
        self.stagingThreshold = stagingThreshold
    }

    /// How large a segment grows.
    func capacity(of ordinal: UInt64) -> UInt64 {
        min(largestSegment, smallestSegment << min(max(1, ordinal) - 1, 6))
    }
}
