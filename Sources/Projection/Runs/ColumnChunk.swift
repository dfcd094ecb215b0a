import EventLog
import Storage

/// A column of a block as it is kept in memory: compact, a value made only when it is asked for.
final class ColumnChunk: Sendable {
    enum Payload: Sendable {
        case none
        case slots(ColumnBlock.Slots)
        /// The bytes of row i end at `ends[i]` and start where those of row i - 1 end.
        case data(bytes: [UInt8], ends: [Int])
        case references([ObjectID])
        case blobs([BlobReference])
    }

    let type: ValueType
    let count: Int
    /// Nil when every row has a value.
    let cells: [ColumnBlock.Cell]?
    let payload: Payload
    /// About how much memory it takes.
    let memory: Int

    init(type: ValueType, count: Int, cells: [ColumnBlock.Cell]?, payload: Payload) {
        self.type = type
        self.count = count
        self.cells = cells
        self.payload = payload
        memory = 128 + (cells?.count ?? 0) + payload.memory
    }

    /// What a row has; nil when nothing.
    func value(_ row: Int) -> Value? {
        if let cells {
            switch cells[row] {
            case .absent: return nil
            case .null: return .null
            case .value: break
            }
        }
        return held(row)
    }

    /// The column as scans want it.
    var block: ColumnBlock {
        if case .slots(let slots) = payload { return ColumnBlock(type: type, count: count, cells: cells, slots: slots) }
        return ColumnBlock(type: type, count: count, cells: cells, slots: .values((0..<count).map { held($0) }))
    }

    /// Whether every value is small; see ``Value/isSmall``.
    var hasOnlySmallValues: Bool {
        switch payload {
        case .slots(.strings(_, let ends)), .data(_, let ends):
            var start = 0
            for end in ends {
                if !Value.isSmall(end - start) { return false }
                start = end
            }
            return true
        case .blobs: return false
        default: return true
        }
    }

    private func held(_ row: Int) -> Value {
        switch payload {
        case .none: .null
        case .slots(.bools(let slots)): .bool(slots[row])
        case .slots(.ints(let slots)): type == .counter ? .counter(slots[row]) : .int(slots[row])
        case .slots(.doubles(let slots)): type == .date ? .date(slots[row]) : .double(slots[row])
        case .slots(.strings(let utf8, let ends)): .string(ColumnBlock.text(row, utf8, ends))
        case .slots(.uuids(let slots)): .uuid(slots[row])
        case .slots(.values(let slots)): slots[row]
        case .data(let bytes, let ends): .data(Array(bytes[(row == 0 ? 0 : ends[row - 1])..<ends[row]]))
        case .references(let slots): .reference(slots[row])
        case .blobs(let slots): .blob(slots[row])
        }
    }
}

extension ColumnChunk.Payload {
    fileprivate var memory: Int {
        switch self {
        case .none: 0
        case .slots(.bools(let slots)): slots.count
        case .slots(.ints(let slots)): slots.count * 8
        case .slots(.doubles(let slots)): slots.count * 8
        case .slots(.strings(let utf8, let ends)): utf8.count + ends.count * 8
        case .slots(.values(let slots)): slots.count * 128
        case .data(let bytes, let ends): bytes.count + ends.count * 8
        case .slots(.uuids(let slots)): slots.count * 16
        case .references(let slots): slots.count * MemoryLayout<ObjectID>.stride
        case .blobs(let slots): slots.reduce(0) { $0 + 48 + ($1.inline.map { $0.count + 32 } ?? 0) }
        }
    }
}
