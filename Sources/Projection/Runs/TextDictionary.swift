import EventLog
import Storage

/// The distinct texts of a column that has few of them, and which of them each row has.
struct TextDictionary {
    /// The distinct texts one after the other, by first use.
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var codes: [Int64] = []

    /// Nil when it would not pay: for few rows, or when less than three of four rows repeat an earlier one.
    init?(bytes source: [UInt8], ends sourceEnds: [Int]) {
        let count = sourceEnds.count
        guard count >= 16, source.count > count else { return nil }
        var numbers: [UInt64: Int64] = [:]
        codes.reserveCapacity(count)
        var start = 0
        for (row, end) in sourceEnds.enumerated() {
            let text = source.span.extracting(start..<end)
            let hash = Checksum.xxh3(text)
            if let number = numbers[hash] {
                // Two texts of one hash: leave it, at most this chunk is larger.
                guard isEqual(text, Int(number)) else { return nil }
                codes.append(number)
            } else {
                numbers[hash] = Int64(ends.count)
                codes.append(Int64(ends.count))
                bytes.append(contentsOf: source[start..<end])
                ends.append(bytes.count)
                guard ends.count <= count / 4, row < 64 || ends.count <= row / 2 else { return nil }
            }
            start = end
        }
    }

    private func isEqual(_ text: Span<UInt8>, _ number: Int) -> Bool {
        let start = number == 0 ? 0 : ends[number - 1]
        guard ends[number] - start == text.count else { return false }
        for index in text.indices where text[index] != bytes[start + index] { return false }
        return true
    }

    func write(to writer: inout ByteWriter) {
        writer.count(ends.count)
        writer.sizes(ends)
        writer.ints(codes)
    }
}
