/// Where a parser takes its bytes from.
package protocol JSONByteSource {
    /// How errors name the source: a path, or "standard input".
    var name: String { get }

    /// Puts the next bytes of the input into `room`, a part of `buffer`, from its start on: as many as come at once.
    ///
    /// Returns how many bytes came; 0 only at the end of the input.
    mutating func read(into buffer: inout [UInt8], at room: Range<Int>) throws(JSONError) -> Int
}
