// Invariant: no field holds a value of a property. Texts are names (of entities, peers, consumers, files), ids and codes; whoever adds a
// kind of field keeps it so. An error is recorded by its code, for its sentence may quote a key or a predicate.

package import EventLog
import Storage

/// One fact of a record.
package struct RecordField: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case number(UInt64)
        /// Nanoseconds, written as milliseconds.
        case duration(UInt64)
        case text(String)
        case flag(Bool)
        /// A path, written without what leads to the store.
        case path(String)
    }

    package let name: RecordFieldName
    package let content: Content

    private init(_ name: RecordFieldName, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// A count of something, a size, a number of something.
    package static func count(_ name: RecordFieldName, _ count: some BinaryInteger) -> RecordField {
        RecordField(name, .number(UInt64(clamping: count)))
    }

    package static func flag(_ name: RecordFieldName, _ flag: Bool) -> RecordField { RecordField(name, .flag(flag)) }

    /// One of a few words of the engine.
    package static func word(_ name: RecordFieldName, _ word: StaticString) -> RecordField {
        RecordField(name, .text(word.description))
    }

    /// One of a few words of the engine, as an enumeration names them.
    package static func word(_ name: RecordFieldName, _ word: some RawRepresentable<String>) -> RecordField {
        RecordField(name, .text(word.rawValue))
    }

    package static func bytes(_ count: some BinaryInteger) -> RecordField { .count(.bytes, count) }
    package static func transactions(_ count: some BinaryInteger) -> RecordField { .count(.transactions, count) }
    package static func blobs(_ count: some BinaryInteger) -> RecordField { .count(.blobs, count) }
    package static func offset(_ offset: UInt64) -> RecordField { .count(.offset, offset) }
    package static func nanoseconds(_ name: RecordFieldName, _ count: UInt64) -> RecordField {
        RecordField(name, .duration(count))
    }

    package static func dataset(_ id: DatasetID) -> RecordField { RecordField(.dataset, .text(id.description)) }
    /// The replica that a store writes as, its own or a peer's.
    package static func replica(_ id: ReplicaID) -> RecordField { RecordField(.replica, .text(id.description)) }
    /// An origin of transactions.
    package static func origin(_ id: ReplicaID) -> RecordField { RecordField(.origin, .text(id.description)) }
    package static func entity(_ name: String) -> RecordField { RecordField(.entity, .text(name)) }
    package static func property(_ name: String) -> RecordField { RecordField(.property, .text(name)) }
    /// A consumer of the history, by its name.
    package static func consumer(_ name: String) -> RecordField { RecordField(.consumer, .text(name)) }
    /// Who has acknowledged only so much of the history.
    static func blocker(_ record: PeerRecord) -> RecordField {
        switch record.kind {
        case .peer(let id): .replica(id)
        case .consumer: .consumer(record.name)
        }
    }
    package static func file(_ path: String) -> RecordField { RecordField(.file, .path(path)) }

    /// Where a peer is.
    ///
    /// Of a command only the first word: the others may be secrets.
    package static func peer(_ address: String) -> RecordField { RecordField(.peer, .text(shortened(peer: address))) }

    /// An address of a peer, without what may be secret in it.
    package static func shortened(peer address: String) -> String {
        guard address.hasPrefix("exec:"), let space = address.firstIndex(of: " ") else { return address }
        return address[..<space] + " …"
    }

    /// Why a store took another id: one of a few sentences of the engine.
    static func reason(of recovery: RecoveryReport) -> RecordField? {
        recovery.newReplica.map { RecordField(.reason, .text($0)) }
    }

    /// What is known of an error without its sentence, which may quote what the user wrote.
    static func fields(of error: any Error) -> [RecordField] {
        guard let error = StoreError.translated(error) as? StoreError else {
            return [RecordField(.error, .text("\(type(of: error))"))]
        }
        var fields = [RecordField(.error, .text(error.code.rawValue))]
        if let log = error.underlying {
            if let path = log.path ?? log.underlying?.path { fields.append(.file(path)) }
            if let offset = log.offset ?? log.underlying?.offset { fields.append(.offset(offset)) }
            if let storage = log.underlying {
                fields.append(RecordField(.cause, .text(storage.code.rawValue)))
                if let number = storage.errno { fields.append(.count(.errno, number)) }
            }
        }
        return fields
    }
}
