/// The numbers of a segment file that writer, reader and recovery share; see SPEC.md, section 4.
package enum SegmentFormat {
    static let major: UInt16 = 1
    static let minor: UInt16 = 0
    /// Incompatible feature bits this version knows: none yet.
    static let knownFeatures: UInt32 = 0

    static let headerSize = 4096
    static let watermarkOffsets: [UInt64] = [4096, 8192]
    static let watermarkSize = 64
    /// Where the frames of a segment begin.
    static let framesStart: UInt64 = 12_288
    /// Where the frames of a stage file begin.
    static let stageFramesStart: UInt64 = 4096

    package static let frameHeaderSize = 64
    package static let frameAlignment: UInt64 = 64
    static let groupAlignment: UInt64 = 4096
    static let footerSize = 64

    /// Logical bytes of an ordinary frame.
    package static let frameLimit = 1 << 20
    /// Logical bytes of an index or baseline frame.
    static let largeFrameLimit = 16 << 20
    /// Logical bytes of a group that is more than one frame.
    static let groupLimit = 4 << 20
    /// A transaction above this is staged in a file of its own.
    package static let stagingThreshold = 4 << 20
    /// Bodies below this are not compressed.
    static let compressionFloor = 512

    /// How far behind the first invalid byte a torn group may have left bytes: the group's bodies, each with a header and padding.
    static let tornReach: UInt64 = UInt64(groupLimit) + 2 * UInt64(largeFrameLimit) / 16

    package static let smallestSegment: UInt64 = 1 << 20
    package static let largestSegment: UInt64 = 64 << 20
    /// How often a seek point is noted, in stored bytes.
    static let seekInterval: UInt64 = 64 << 10

    package static func align(_ offset: UInt64, to alignment: UInt64) -> UInt64 {
        (offset &+ alignment &- 1) / alignment * alignment
    }
}
