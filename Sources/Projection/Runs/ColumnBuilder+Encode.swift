import EventLog
import Storage

// A column chunk is, in this order: the bytes of its strings or data, if it has any, so that they are used where they lie;
// then how the rest is to be read; then the size of that rest, u32.
extension ColumnBuilder {
    /// The chunk of this column, which has `count` rows.
    func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: 64 + bytes.count + count * 8)
        guard values > 0 else {
            writer.u8(RunFormat.Form.none)
            writeCells(to: &writer)
            writer.u32(UInt32(writer.count))
            return writer.bytes
        }
        let texts = property.type == .string ? TextDictionary(bytes: bytes, ends: ends) : nil
        if let texts {
            writer.raw(texts.bytes)
        } else if !bytes.isEmpty {
            writer.raw(bytes)
        }
        let start = writer.count
        switch property.type {
        case .bool:
            head(RunFormat.Form.bits, &writer)
            writer.bits(count) { bools[$0] }
        case .int, .counter:
            head(RunFormat.Form.ints, &writer)
            writer.ints(ints)
        case .double, .date: writeDoubles(to: &writer)
        case .string, .data:
            head(texts == nil ? RunFormat.Form.bytes : RunFormat.Form.dictionary, &writer)
            if let texts {
                texts.write(to: &writer)
            } else {
                writer.sizes(ends)
            }
        case .uuid:
            head(RunFormat.Form.digests, &writer)
            for uuid in uuids { writer.digest(uuid) }
        case .reference:
            head(RunFormat.Form.references, &writer)
            writer.references(references)
        case .blob:
            head(RunFormat.Form.blobs, &writer)
            writer.blobs(blobs)
        case .edges: head(RunFormat.Form.none, &writer)
        }
        writer.u32(UInt32(writer.count - start))
        return writer.bytes
    }

    private func head(_ form: UInt8, _ writer: inout ByteWriter) {
        writer.u8(form)
        writeCells(to: &writer)
    }

    private func writeCells(to writer: inout ByteWriter) {
        if values == count { return writer.u8(RunFormat.CellForm.allValues) }
        if nulls == count { return writer.u8(RunFormat.CellForm.allNull) }
        if values + nulls == count {
            writer.u8(RunFormat.CellForm.valueOrNull)
        } else if nulls == 0 {
            writer.u8(RunFormat.CellForm.valueOrAbsent)
        } else {
            writer.u8(RunFormat.CellForm.each)
            for cell in cells { writer.u8(cell.rawValue) }
            return
        }
        writer.bits(count) { cells[$0] == .value }
    }

    private func writeDoubles(to writer: inout ByteWriter) {
        var whole: [Int64] = []
        whole.reserveCapacity(count)
        for value in doubles {
            // Bit by bit: negative zero is no whole number here.
            guard let number = Int64(exactly: value), Double(number).bitPattern == value.bitPattern else { break }
            whole.append(number)
        }
        if whole.count == count {
            head(RunFormat.Form.wholeNumbers, &writer)
            return writer.ints(whole)
        }
        head(RunFormat.Form.words, &writer)
        for value in doubles { writer.u64(value.bitPattern) }
    }
}

extension ByteWriter {
    /// Sizes of pieces, from where each ends.
    mutating func sizes(_ ends: [Int]) {
        var sizes: [Int64] = []
        sizes.reserveCapacity(ends.count)
        var start = 0
        for end in ends {
            sizes.append(Int64(end - start))
            start = end
        }
        ints(sizes)
    }

    fileprivate mutating func references(_ ids: [ObjectID]) {
        var numbers: [ReplicaID: Int64] = [:]
        var replicas: [ReplicaID] = []
        var last: (id: ReplicaID, number: Int64)?
        let codes = ids.map { id -> Int64 in
            if let last, last.id == id.replica { return last.number }
            let number = numbers[id.replica] ?? Int64(replicas.count)
            if Int(number) == replicas.count {
                replicas.append(id.replica)
                numbers[id.replica] = number
            }
            last = (id.replica, number)
            return number
        }
        count(replicas.count)
        for replica in replicas { digest(replica.bits) }
        ints(codes)
        ints(ids.map { Int64(bitPattern: $0.sequence) })
        ints(ids.map { Int64($0.index) })
    }

    fileprivate mutating func blobs(_ blobs: [BlobReference]) {
        for blob in blobs {
            digest(blob.id.high)
            digest(blob.id.low)
        }
        ints(blobs.map { Int64(bitPattern: $0.length) })
        // 0 for a blob that lies elsewhere, else one more than the bytes it has here.
        ints(blobs.map { Int64($0.inline.map { $0.count + 1 } ?? 0) })
        for blob in blobs { if let inline = blob.inline { raw(inline) } }
    }
}
