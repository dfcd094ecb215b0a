import Storage

extension ByteWriter {
    /// One value: what a column of one row would be.
    mutating func value(_ value: Value, origins: inout OriginTable) {
        if case .null = value { return u8(TransactionFormat.PresenceForm.none) }
        u8(TransactionFormat.PresenceForm.all)
        switch value {
        case .null: break
        case .bool(let value): u8(value ? 1 : 0)
        case .int(let value), .counter(let value): int(value)
        case .double(let value), .date(let value): u64(value.bitPattern)
        case .string(let value):
            int(Int64(value.utf8.count))
            bytes.append(contentsOf: value.utf8)
        case .data(let value):
            int(Int64(value.count))
            raw(value)
        case .uuid(let value): digest(value)
        case .reference(let id):
            u8(TransactionFormat.ReplicaForm.common)
            count(origins.number(of: id.replica))
            int(Int64(bitPattern: id.sequence))
            int(Int64(id.index))
        case .blob(let value): blob(value)
        }
    }

    /// *ints* of one number: itself as the base, and no differences.
    private mutating func int(_ value: Int64) {
        zigzag(value)
        u8(0)
    }

    /// An object id by numbers.
    mutating func object(_ id: ObjectID, origins: inout OriginTable) {
        count(origins.number(of: id.replica))
        varint(id.sequence)
        varint(UInt64(id.index))
    }
}
