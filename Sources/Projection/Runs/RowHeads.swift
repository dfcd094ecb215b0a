import EventLog
import Storage

/// The chunk that every block begins with: ids, creation times and causal lengths.
final class RowHeads: Sendable {
    let ids: IDStretches
    let created: Steps
    let lengths: Steps

    init(ids: IDStretches, created: Steps, lengths: Steps) {
        self.ids = ids
        self.created = created
        self.lengths = lengths
    }

    init(from reader: inout ByteReader, count: Int) throws(StorageError) {
        ids = try IDStretches(from: &reader, count: count)
        created = try Steps(from: &reader, count: count)
        lengths = try Steps(from: &reader, count: count)
        try reader.expectEnd()
    }

    func write(to writer: inout ByteWriter) {
        ids.write(to: &writer)
        created.write(to: &writer)
        lengths.write(to: &writer)
    }

    /// When the row's object came to life.
    func created(_ row: Int) -> Timestamp { Timestamp(rawValue: created[row]) }

    func length(_ row: Int) -> UInt32 { UInt32(truncatingIfNeeded: lengths[row]) }

    /// About how much memory it takes.
    var memory: Int { 128 + ids.memory + created.memory + lengths.memory }
}
