import Projection
import Storage

/// Makes the checksums of a damaged run right, so that what reads behind them is tested too.
struct RunForgery {
    let bytes: [UInt8]
    let directory: Range<Int>
    /// Chunks, and where in the file their checksums are.
    private(set) var chunks: [(range: Range<Int>, checksum: Int)] = []

    /// Finds the chunks of a small run by trying which beginnings have a checksum that the directory tells.
    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        let footer = bytes.count - 56
        var reader = ByteReader(bytes, footer..<bytes.count)
        directory = Int(try reader.u64())..<footer
        var places: [UInt64: Int] = [:]
        for place in directory.lowerBound...(footer - 8) {
            var word = ByteReader(bytes, place..<footer)
            places[try word.u64()] = place
        }
        var start = 16
        var end = start + 1
        while end <= directory.lowerBound {
            if let place = places[Checksum.xxh3(bytes.span.extracting(start..<end))] {
                chunks.append((start..<end, place))
                start = end
            }
            end += 1
        }
    }

    /// Other bytes of the same layout with checksums that are right, but for those that were damaged themselves.
    func sealed(_ damaged: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(damaged)
        for chunk in chunks where damaged[chunk.range] != bytes[chunk.range] {
            writer.patch(u64: Checksum.xxh3(damaged.span.extracting(chunk.range)), at: chunk.checksum)
        }
        writer.patch(u64: Checksum.xxh3(writer.bytes.span.extracting(directory)), at: directory.upperBound + 24)
        let footer = directory.upperBound..<directory.upperBound + 40
        writer.patch(u64: Checksum.xxh3(writer.bytes.span.extracting(footer)), at: footer.upperBound)
        return writer.bytes
    }
}
