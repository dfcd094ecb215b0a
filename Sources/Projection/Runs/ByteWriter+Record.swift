import EventLog
package import Storage

// A whole record, in bytes that are equal for equal records; `ByteReader+Record` reads them.
extension ByteWriter {
    package mutating func record(_ record: ObjectRecord) {
        u8(record.entity == nil ? 0 : 1)
        if let entity = record.entity { string(entity.text) }
        u64(record.created.rawValue)
        varint(UInt64(record.length))
        count(record.epochs.count)
        for (length, epoch) in record.epochs.sorted(by: { $0.key < $1.key }) {
            varint(UInt64(length))
            self.epoch(epoch)
        }
    }

    /// A value with its type.
    mutating func typed(_ value: Value) {
        u8(value.type?.rawValue ?? 0)
        switch value {
        case .null: break
        case .bool(let value): u8(value ? 1 : 0)
        case .int(let value), .counter(let value): zigzag(value)
        case .double(let value), .date(let value): u64(value.bitPattern)
        case .string(let value): string(value)
        case .uuid(let value): digest(value)
        case .data(let value):
            count(value.count)
            raw(value)
        case .blob(let value):
            digest(value.id.high)
            digest(value.id.low)
            varint(value.length)
            u8(value.inline == nil ? 0 : 1)
            if let inline = value.inline {
                count(inline.count)
                raw(inline)
            }
        case .reference(let value): object(value)
        }
    }

    mutating func object(_ id: ObjectID) {
        digest(id.replica.bits)
        varint(id.sequence)
        varint(UInt64(id.index))
    }

    mutating func property(_ property: Property) {
        string(property.name)
        u8(property.type.rawValue)
    }

    private mutating func epoch(_ epoch: Epoch) {
        count(epoch.registers.count)
        for (property, register) in epoch.registers.sorted(by: { $0.key < $1.key }) {
            self.property(property)
            u64(register.stamp.timestamp.rawValue)
            digest(register.stamp.replica.bits)
            u8(register.isExplicit ? 1 : 0)
            typed(register.value)
        }
        count(epoch.counters.count)
        for (property, sums) in epoch.counters.sorted(by: { $0.key < $1.key }) {
            self.property(property)
            count(sums.count)
            for (origin, sum) in sums.sorted(by: { $0.key < $1.key }) {
                digest(origin.bits)
                zigzag(sum)
            }
        }
        count(epoch.edges.count)
        for (property, targets) in epoch.edges.sorted(by: { $0.key < $1.key }) {
            self.property(property)
            count(targets.count)
            for (target, length) in targets.sorted(by: { $0.key < $1.key }) {
                object(target)
                varint(UInt64(length))
            }
        }
    }
}
