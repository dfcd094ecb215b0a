import EventLog
import Storage

/// What a replica has, durably, as it tells all others in a shared folder: SPEC.md, section 10.4.
struct Acknowledgement: Sendable, Equatable {
    /// When another replica's latest acknowledgement was first seen, by the clock of whoever saw it.
    struct Contact: Sendable, Equatable {
        /// Of its acknowledgement; 0 while there is none.
        var number: UInt64
        /// Milliseconds since 1970.
        var seen: UInt64
    }

    var replica: ReplicaID
    /// The higher one of a replica is the later one.
    var number: UInt64
    /// When it was written, by the writer's clock: milliseconds since 1970.
    var time: UInt64
    /// Where each line of transactions that it has ends; ascending.
    var tips: [Tip]
    /// The other replicas of the folder, as far as their writers are concerned who may not know the same.
    var contacts: [ReplicaID: Contact]

    private static let magic = "STRDACK1"
    static let maximumSize = 16 << 20
    /// Milliseconds after which it is written anew though nothing has changed, to show that its writer lives: a day.
    static let interval: UInt64 = 86_400_000

    func encode(_ dataset: DatasetID) -> [UInt8] {
        ChecksummedFile.encode(magic: Self.magic) { writer in
            writer.digest(dataset.bits)
            writer.digest(replica.bits)
            writer.u64(number)
            writer.u64(time)
            writer.append(tips)
            writer.count(contacts.count)
            for (replica, contact) in contacts.sorted(by: { $0.key < $1.key }) {
                writer.digest(replica.bits)
                writer.u64(contact.number)
                writer.u64(contact.seen)
            }
        }
    }

    init(replica: ReplicaID, number: UInt64, time: UInt64, tips: [Tip], contacts: [ReplicaID: Contact]) {
        self.replica = replica
        self.number = number
        self.time = time
        self.tips = tips
        self.contacts = contacts
    }

    /// - Parameters:
    ///   - number: what the name of the file says.
    ///   - replica: in whose subfolder it is.
    /// - Throws: ``ExchangeDamage`` when it is not whole, or somebody else's.
    init(
        _ path: String, _ number: UInt64, of replica: ReplicaID, in fileSystem: any FileSystem, dataset: DatasetID
    ) throws(ExchangeDamage) {
        var reader = try ExchangeDamage.contents(of: path, magic: Self.magic, limit: Self.maximumSize, in: fileSystem)
        self = try ExchangeDamage.wrap { () throws(StorageError) in
            guard try reader.digest() == dataset.bits, try reader.digest() == replica.bits, try reader.u64() == number else {
                throw .malformed("it is the acknowledgement of another replica, or a copy under another name")
            }
            let time = try reader.u64()
            let tips = try reader.allTips()
            var contacts: [ReplicaID: Contact] = [:]
            for _ in 0..<(try reader.count(max: Self.maximumSize, minimumSize: 32)) {
                contacts[ReplicaID(try reader.digest())] = Contact(number: try reader.u64(), seen: try reader.u64())
            }
            try reader.expectEnd()
            return Acknowledgement(replica: replica, number: number, time: time, tips: tips, contacts: contacts)
        }
    }
}

extension ByteWriter {
    mutating func append(_ tips: [Tip]) {
        count(tips.count)
        for tip in tips { tip.append(to: &self) }
    }
}

extension ByteReader {
    /// As many as a store may have.
    mutating func allTips() throws(StorageError) -> [Tip] {
        var tips: [Tip] = []
        for _ in 0..<(try count(max: Acknowledgement.maximumSize, minimumSize: 33)) { tips.append(try tip()) }
        return tips
    }
}
