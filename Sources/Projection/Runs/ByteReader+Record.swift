import EventLog
package import Storage

extension ByteReader {
    /// A whole record, as ``ByteWriter/record(_:)`` writes it.
    package mutating func record() throws(StorageError) -> ObjectRecord {
        let entity = try flag("an entity") ? WireName(try string(max: remaining)) : nil
        let created = Timestamp(rawValue: try u64())
        let length = try small("a length")
        var epochs: [(length: UInt32, epoch: Epoch)] = []
        for _ in 0..<(try count(max: remaining, minimumSize: 4)) {
            epochs.append((try small("a length"), try epoch()))
        }
        return ObjectRecord(entity: entity, created: created, length: length, epochs: epochs)
    }

    /// A value with its type.
    mutating func typed() throws(StorageError) -> Value {
        let start = position
        let code = try u8()
        guard code != 0 else { return .null }
        switch ValueType(rawValue: code) {
        case .bool: return .bool(try flag("a bool"))
        case .int: return .int(try zigzag())
        case .counter: return .counter(try zigzag())
        case .double: return .double(Double(bitPattern: try u64()))
        case .date: return .date(Double(bitPattern: try u64()))
        case .string: return .string(try string(max: remaining))
        case .uuid: return .uuid(try digest())
        case .data: return .data(Array(try bytes(try count(max: remaining))))
        case .blob:
            let id = BlobID(high: try digest(), low: try digest())
            let length = try varint()
            guard try flag("an inline blob") else { return .blob(BlobReference(id: id, length: length)) }
            return .blob(BlobReference(id: id, length: length, inline: Array(try bytes(try count(max: remaining)))))
        case .reference: return .reference(try object())
        case .edges, nil: throw .malformed("a value of type \(code)", offset: UInt64(start))
        }
    }

    mutating func object() throws(StorageError) -> ObjectID {
        ObjectID(replica: ReplicaID(try digest()), sequence: try varint(), index: try small("an index"))
    }

    mutating func property() throws(StorageError) -> Property {
        let name = try string(max: remaining)
        let start = position
        let code = try u8()
        guard let type = ValueType(rawValue: code) else {
            throw .malformed("a property of type \(code)", offset: UInt64(start))
        }
        return Property(name, type)
    }

    /// A number of 32 bits.
    mutating func small(_ what: StaticString) throws(StorageError) -> UInt32 {
        let start = position
        guard let number = UInt32(exactly: try varint()) else {
            throw .malformed("\(what) of more than 32 bits", offset: UInt64(start))
        }
        return number
    }

    /// A byte that is 0 or 1.
    mutating func flag(_ what: StaticString) throws(StorageError) -> Bool {
        let start = position
        let byte = try u8()
        guard byte < 2 else { throw .malformed("\(what) of form \(byte)", offset: UInt64(start)) }
        return byte == 1
    }

    private mutating func epoch() throws(StorageError) -> Epoch {
        var registers: [(property: Property, register: Register)] = []
        for _ in 0..<(try count(max: remaining, minimumSize: 28)) {
            let property = try property()
            let timestamp = Timestamp(rawValue: try u64())
            let stamp = Stamp(timestamp: timestamp, replica: ReplicaID(try digest()))
            let isExplicit = try flag("an update")
            registers.append((property, Register(stamp: stamp, isExplicit: isExplicit, value: try typed())))
        }
        var counters: [(property: Property, sums: [(origin: ReplicaID, sum: Int64)])] = []
        for _ in 0..<(try count(max: remaining, minimumSize: 3)) {
            let property = try property()
            var sums: [(origin: ReplicaID, sum: Int64)] = []
            for _ in 0..<(try count(max: remaining, minimumSize: 17)) {
                sums.append((ReplicaID(try digest()), try zigzag()))
            }
            counters.append((property, sums))
        }
        var edges: [(property: Property, targets: [(target: ObjectID, length: UInt32)])] = []
        for _ in 0..<(try count(max: remaining, minimumSize: 3)) {
            let property = try property()
            var targets: [(target: ObjectID, length: UInt32)] = []
            for _ in 0..<(try count(max: remaining, minimumSize: 19)) {
                targets.append((try object(), try small("a length")))
            }
            edges.append((property, targets))
        }
        return Epoch(registers: registers, counters: counters, edges: edges)
    }
}
