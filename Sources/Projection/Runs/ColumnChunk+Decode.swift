import EventLog
import Storage

extension ColumnChunk {
    /// Reads what ``ColumnBuilder/encode()`` wrote.
    ///
    /// The caller has bounded `count`.
    convenience init(_ chunk: [UInt8], type: ValueType, count: Int) throws(StorageError) {
        guard chunk.count >= 4 else { throw .malformed("a column of \(chunk.count) bytes") }
        var tail = ByteReader(chunk, chunk.count - 4..<chunk.count)
        let size = try tail.u32()
        guard size <= UInt32(clamping: chunk.count - 4) else { throw tail.failure("a column's rest of \(size) bytes") }
        let bodySize = chunk.count - 4 - Int(size)
        var reader = ByteReader(chunk, bodySize..<chunk.count - 4)
        let form = try reader.u8()
        let cells = try reader.cells(count)
        let payload = try reader.payload(form, type: type, count: count, bodySize: bodySize)
        try reader.expectEnd()
        if case .none = payload, cells == nil || cells?.contains(.value) == true {
            throw reader.failure("a column with values that are nowhere")
        }
        self.init(type: type, count: count, cells: cells, payload: payload)
    }
}

extension ByteReader {
    fileprivate mutating func cells(_ count: Int) throws(StorageError) -> [ColumnBlock.Cell]? {
        let start = position
        switch try u8() {
        case RunFormat.CellForm.allValues: return nil
        case RunFormat.CellForm.allNull: return Array(repeating: .null, count: count)
        case RunFormat.CellForm.valueOrNull: return Self.cells(count, try bits(count), otherwise: .null)
        case RunFormat.CellForm.valueOrAbsent: return Self.cells(count, try bits(count), otherwise: .absent)
        case RunFormat.CellForm.each:
            let range = try advance(count)
            var cells: [ColumnBlock.Cell] = []
            cells.reserveCapacity(count)
            for position in range {
                guard let cell = ColumnBlock.Cell(rawValue: bytes[position]) else {
                    throw .malformed("a cell of form \(bytes[position])", offset: UInt64(position))
                }
                cells.append(cell)
            }
            return cells
        case let form: throw .malformed("cells of form \(form)", offset: UInt64(start))
        }
    }

    private static func cells(_ count: Int, _ bits: [UInt64], otherwise: ColumnBlock.Cell) -> [ColumnBlock.Cell] {
        (0..<count).map { bits[$0 >> 6] >> UInt64($0 & 63) & 1 != 0 ? .value : otherwise }
    }

    /// - Parameter bodySize: bytes of strings or data, with which the chunk begins.
    fileprivate mutating func payload(
        _ form: UInt8, type: ValueType, count: Int, bodySize: Int
    ) throws(StorageError) -> ColumnChunk.Payload {
        switch (form, type) {
        case (RunFormat.Form.none, _): return .none
        case (RunFormat.Form.bits, .bool):
            let bits = try bits(count)
            return .slots(.bools((0..<count).map { bits[$0 >> 6] >> UInt64($0 & 63) & 1 != 0 }))
        case (RunFormat.Form.ints, .int), (RunFormat.Form.ints, .counter): return .slots(.ints(try ints(count)))
        case (RunFormat.Form.words, .double), (RunFormat.Form.words, .date):
            return .slots(.doubles(try words(count).map { Double(bitPattern: $0) }))
        case (RunFormat.Form.wholeNumbers, .double), (RunFormat.Form.wholeNumbers, .date):
            return .slots(.doubles(try ints(count).map { Double($0) }))
        case (RunFormat.Form.bytes, .string):
            return .slots(.strings(utf8: bytes, ends: try ends(count, within: bodySize)))
        case (RunFormat.Form.bytes, .data): return .data(bytes: bytes, ends: try ends(count, within: bodySize))
        case (RunFormat.Form.dictionary, .string): return .slots(try dictionary(count, bodySize: bodySize))
        case (RunFormat.Form.digests, .uuid):
            var uuids: [Digest128] = []
            guard remaining >= count * 16 else { throw shortage(of: count * 16) }
            uuids.reserveCapacity(count)
            for _ in 0..<count { uuids.append(try digest()) }
            return .slots(.uuids(uuids))
        case (RunFormat.Form.references, .reference): return .references(try references(count))
        case (RunFormat.Form.blobs, .blob): return .blobs(try blobs(count))
        default: throw failure("values of form \(form) in a column of type \(type)")
        }
    }

    /// Where pieces end whose sizes come next, and which make up the first `size` bytes of the chunk.
    private mutating func ends(_ count: Int, within size: Int) throws(StorageError) -> [Int] {
        let start = position
        var ends: [Int] = []
        ends.reserveCapacity(count)
        var end = 0
        for length in try ints(count) {
            guard length >= 0, length <= Int64(size - end) else {
                throw .malformed("a value of \(length) bytes", offset: UInt64(start))
            }
            end += Int(length)
            ends.append(end)
        }
        guard end == size else { throw .malformed("values of \(end) bytes, with \(size) there", offset: UInt64(start)) }
        return ends
    }

    private mutating func dictionary(_ count: Int, bodySize: Int) throws(StorageError) -> ColumnBlock.Slots {
        let distinct = try self.count(max: count, minimumSize: 0)
        let entries = try ends(distinct, within: bodySize)
        let codes = try smallInts(count, "a text's number", where: { $0 < UInt32(distinct) })
        var total = 0
        for code in codes { total += entries[Int(code)] - (code == 0 ? 0 : entries[Int(code) - 1]) }
        var utf8: [UInt8] = []
        utf8.reserveCapacity(total)
        var ends: [Int] = []
        ends.reserveCapacity(count)
        for code in codes {
            utf8.append(contentsOf: bytes[(code == 0 ? 0 : entries[Int(code) - 1])..<entries[Int(code)]])
            ends.append(utf8.count)
        }
        return .strings(utf8: utf8, ends: ends)
    }

    private mutating func references(_ count: Int) throws(StorageError) -> [ObjectID] {
        var replicas: [ReplicaID] = []
        for _ in 0..<(try self.count(max: count, minimumSize: 16)) { replicas.append(ReplicaID(try digest())) }
        let limit = UInt32(replicas.count)
        let numbers = try smallInts(count, "a replica number", where: { $0 < limit })
        let sequences = try ints(count)
        let indexes = try smallInts(count, "an index")
        return (0..<count).map {
            ObjectID(replica: replicas[Int(numbers[$0])], sequence: UInt64(bitPattern: sequences[$0]), index: indexes[$0])
        }
    }

    private mutating func blobs(_ count: Int) throws(StorageError) -> [BlobReference] {
        guard remaining >= count * 32 else { throw shortage(of: count * 32) }
        var ids: [BlobID] = []
        ids.reserveCapacity(count)
        for _ in 0..<count { ids.append(BlobID(high: try digest(), low: try digest())) }
        let lengths = try ints(count)
        let sizes = try ints(count)
        var blobs: [BlobReference] = []
        blobs.reserveCapacity(count)
        for row in 0..<count {
            guard sizes[row] >= 0, sizes[row] - 1 <= Int64(remaining) else {
                throw failure("a blob of \(sizes[row]) bytes here")
            }
            let inline = sizes[row] == 0 ? nil : Array(try bytes(Int(sizes[row]) - 1))
            blobs.append(BlobReference(id: ids[row], length: UInt64(bitPattern: lengths[row]), inline: inline))
        }
        return blobs
    }
}
