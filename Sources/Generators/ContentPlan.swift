import Storage
import Strandline

/// The bytes of a made picture, as the pieces they are put together from.
struct ContentPlan: Sendable {
    enum Piece: Sendable {
        case bytes([UInt8])
        /// So many bytes that nothing compresses.
        case noise(SeededWords, count: UInt64)
        case file(String, Range<UInt64>)
        /// Rows of a drawn picture, in an order that the words give; the last ends the file.
        case rows(DrawnRows, SeededWords, count: Int)

        var length: UInt64 {
            switch self {
            case .bytes(let bytes): UInt64(bytes.count)
            case .noise(_, let count): count
            case .file(_, let range): UInt64(range.count)
            case .rows(let rows, _, let count): UInt64(rows.length * count)
            }
        }
    }

    var pieces: [Piece] = []

    var length: UInt64 { pieces.reduce(0) { $0 + $1.length } }

    /// The content for a blob.
    ///
    /// - Parameter progress: told how many bytes more were made.
    func produced(in files: any FileSystem, progress: @escaping @Sendable (Int) -> Void) -> ProducedContent {
        ProducedContent(length: length) {
            var reader = ContentReader(self, files)
            return { buffer in
                let count = try reader.read(into: &buffer)
                progress(count)
                return count
            }
        }
    }
}
