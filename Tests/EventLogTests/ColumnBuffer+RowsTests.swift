import EventLog
import Simulation
import Storage
import Testing

@Suite struct ColumnBufferRowsTests {
    private static let types: [ValueType] = [.bool, .int, .double, .date, .string, .data, .uuid, .counter]

    private static func value(_ type: ValueType, _ random: inout SplitMix64) -> Value {
        let number = random.next() % 7
        if number == 0 { return .null }
        return switch type {
        case .bool: .bool(number > 3)
        case .int: .int(Int64(number) - 3)
        case .double: .double(Double(number) / 7)
        case .date: .date(-Double(number))
        case .string: .string(String(repeating: "é", count: Int(number) - 1))
        case .data: .data([UInt8](repeating: 7, count: Int(number) - 1))
        case .uuid: .uuid(Digest128(high: number, low: 2))
        case .counter: .counter(Int64(number))
        case .reference, .blob, .edges: .null
        }
    }

    /// Rows that come one by one, from another buffer, or are taken back, against a plain list.
    @Test(arguments: 0..<80 as Range<UInt64>) func rowsAreThoseOfAList(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let type = Self.types[Int(seed) % Self.types.count]
        var buffer = ColumnBuffer(Property("p", type))
        var list: [Value] = []
        for _ in 0..<60 {
            switch random.next() % 8 {
            case 0:
                var other = ColumnBuffer(Property("p", type))
                for _ in 0..<random.next() % 20 {
                    let value = Self.value(type, &random)
                    other.append(value)
                    list.append(value)
                }
                buffer.append(contentsOf: other)
            case 1 where !list.isEmpty, 2 where !list.isEmpty:
                buffer.removeLast()
                list.removeLast()
            default:
                let value = Self.value(type, &random)
                buffer.append(value)
                list.append(value)
                #expect(buffer.last == value && buffer.isLastPresent == (value != .null))
            }
            #expect(buffer.rows == list.count)
        }
        let column = buffer.decoded
        #expect(list.indices.map { column.value(at: $0) } == list)
        var written = ByteWriter()
        #expect(column.presence.isNone == list.allSatisfy { $0 == .null })
        // As the log writes and reads it.
        let builder = try TransactionBuilder(origin: ReplicaID(.zero), sequence: 1, timestamp: Timestamp(rawValue: 1)) {
            written.raw($0)
        }
        guard !list.isEmpty else { return }
        _ = try builder.insertRows("E", [Property("p", type)], count: list.count) { $0[0].append(contentsOf: buffer) }
        _ = try builder.finish()
        var decoder = TransactionDecoder()
        let read = try decoder.decode(parts: [PartBytes(written.bytes)], origin: ReplicaID(.zero), sequence: 1)
        let values = read.changes.map { change -> Value? in
            if case .insert(_, _, let values) = change { values[0].value } else { nil }
        }
        #expect(values == list)
    }
}
