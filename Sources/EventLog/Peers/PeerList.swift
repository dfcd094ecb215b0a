import Storage

/// The contents of the file PEERS: SPEC.md, section 4.12.
struct PeerList: Sendable, Equatable {
    /// Peers ascending by id, then consumers ascending by name.
    private(set) var records: [PeerRecord] = []

    private static let magic = "STRDPRS1"
    static let maximumSize = 64 << 20
    /// Bytes of a name.
    static let longestName = 255

    init() {}

    /// Puts a record in the place of the one it is a later one of.
    mutating func set(_ record: PeerRecord) {
        records.removeAll { $0.isSame(as: record) }
        records.append(record)
        records.sort { Self.order($0) < Self.order($1) }
    }

    /// Removes a peer or consumer by its key, or a peer by its name if no other has it; returns what was removed.
    mutating func remove(_ key: String) -> PeerRecord? {
        let named = records.filter { $0.name == key }
        guard let found = records.first(where: { $0.key == key }) ?? (named.count == 1 ? named.first : nil) else { return nil }
        records.removeAll { $0.isSame(as: found) }
        return found
    }

    private static func order(_ record: PeerRecord) -> (Int, String) {
        if case .peer = record.kind { (0, record.key) } else { (1, record.key) }
    }

    func encode() -> [UInt8] {
        ChecksummedFile.encode(magic: Self.magic) { writer in
            writer.count(records.count)
            for record in records {
                if case .peer(let id) = record.kind {
                    writer.u8(1)
                    writer.digest(id.bits)
                } else {
                    writer.u8(2)
                }
                writer.string(record.name)
                writer.u64(record.lastContact)
                let token = record.acknowledged.encode()
                writer.count(token.count)
                writer.raw(token)
            }
        }
    }

    init(_ bytes: [UInt8], path: String) throws(LogError) {
        var reader = try ChecksummedFile.open(bytes, magic: Self.magic, path: path)
        var found: [(PeerRecord.Kind, String, UInt64, [UInt8])] = []
        try LogError.damage(in: path) { () throws(StorageError) in
            for _ in 0..<(try reader.count(max: bytes.count, minimumSize: 30)) {
                let kind: PeerRecord.Kind
                switch try reader.u8() {
                case 1: kind = .peer(ReplicaID(try reader.digest()))
                case 2: kind = .consumer
                default: throw .malformed("neither a peer nor a consumer")
                }
                let name = try reader.string(max: Self.longestName)
                let time = try reader.u64()
                found.append((kind, name, time, Array(try reader.bytes(try reader.count(max: HistoryToken.maximumSize)))))
            }
            try reader.expectEnd()
        }
        for (kind, name, time, token) in found {
            set(PeerRecord(kind: kind, name: name, acknowledged: try HistoryToken(bytes: token), lastContact: time))
        }
    }
}
