import Storage

// Invariants
// * `content` holds the groups of the part at hand, by the numbers of `tables`; both begin anew with each part.
// * A part that was handed to the sink has at most `maximumPart` bytes and describes at most `maximumCells` cells.

/// Packs change groups into the parts of one transaction and hands each over as soon as it is complete.
struct PartAssembler {
    private let origin: ReplicaID
    private let sink: ([UInt8]) throws -> Void
    private var header: [UInt8]
    private var content = ByteWriter()
    private var tables: NameTables
    private var cells = 0
    private(set) var digests: [Digest128] = []
    private(set) var byteCount = 0

    /// Takes what part 0 begins with.
    init(origin: ReplicaID, header: [UInt8], sink: @escaping ([UInt8]) throws -> Void) {
        self.origin = origin
        self.header = header
        self.sink = sink
        tables = NameTables(own: origin)
    }

    /// The rows of a group, split where they do not fit one part.
    mutating func add(_ group: OpenGroup) throws {
        var start = 0
        while start < group.rows {
            // Rows of usual size go together; the builder lets a group pass its preferred size by one row or one bulk load.
            var end = start
            var weight = 0
            let isSmall = group.weight <= 2 * TransactionFormat.preferredGroupBytes
            let perRow = group.weight / group.rows
            while end < group.rows && end - start < 2 * TransactionFormat.preferredGroupRows
                && group.cells(end - start) < TransactionFormat.preferredGroupCells
            {
                if !isSmall {
                    weight += max(perRow / 2, group.byteCount(row: end))
                    if weight > TransactionFormat.preferredGroupBytes && end > start { break }
                }
                end += 1
            }
            try add(group, start..<end)
            start = end
        }
    }

    /// A group that is not made of rows.
    mutating func add(_ kind: TransactionFormat.Kind, body: [UInt8], subject: String) throws {
        let size = body.count + 6
        if content.count > 0 || header.count > 1, !fits(size, within: TransactionFormat.preferredPart, cells: 1) { try emit() }
        guard fits(size, within: TransactionFormat.maximumPart, cells: 1) else {
            throw ChangeRefused(.tooLarge(size: size, limit: TransactionFormat.maximumPart), subject)
        }
        content.u8(kind.rawValue)
        content.count(body.count)
        content.raw(body)
        cells += 1
    }

    /// Hands over the last part.
    mutating func finish() throws { try emit() }

    private mutating func add(_ group: OpenGroup, _ rows: Range<Int>) throws {
        let cost = group.cells(rows.count)
        let mark = tables
        let length = content.count
        group.write(rows, to: &content, tables: &tables)
        if fits(0, within: TransactionFormat.preferredPart, cells: cost) {
            cells += cost
            return
        }
        let isAlone = length == 0 && header.count == 1
        if isAlone, fits(0, within: TransactionFormat.maximumPart, cells: cost) {
            cells += cost
            return
        }
        tables = mark
        content.bytes.removeSubrange(length...)
        if !isAlone {
            try emit()
            try add(group, rows)
        } else if rows.count > 1 {
            let middle = rows.lowerBound + rows.count / 2
            try add(group, rows.lowerBound..<middle)
            try add(group, middle..<rows.upperBound)
        } else {
            let size = group.byteCount(row: rows.lowerBound)
            throw ChangeRefused(
                .tooLarge(size: size, limit: TransactionFormat.maximumPart), group.entity,
                property: group.largestProperty(row: rows.lowerBound))
        }
    }

    private func fits(_ size: Int, within limit: Int, cells more: Int) -> Bool {
        header.count + tables.byteCount + content.count + size <= limit && cells + more <= TransactionFormat.maximumCells
    }

    private mutating func emit() throws {
        var part = ByteWriter(capacity: header.count + tables.byteCount + content.count)
        part.raw(header)
        tables.write(to: &part)
        part.raw(content.bytes)
        precondition(part.count <= TransactionFormat.maximumPart, "a part of \(part.count) bytes")
        header = [TransactionFormat.Flag.continuation]
        tables = NameTables(own: origin)
        content.bytes.removeAll(keepingCapacity: true)
        cells = 0
        digests.append(Checksum.xxh3Wide(part.bytes.span))
        byteCount += part.count
        try sink(part.bytes)
    }
}
