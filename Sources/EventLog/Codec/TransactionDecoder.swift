package import Storage

// Invariants
// * `cached` belongs to exactly the bytes `cachedBytes` and the origin `cachedOwn`.

/// Reads transactions.
///
/// A value that is best kept for many parts: tables that a part shares with the one before are not read again.
package struct TransactionDecoder: Sendable {
    private var cachedBytes: [UInt8] = []
    private var cachedOwn: ReplicaID?
    private var cached: PartTables?

    package init() {}

    /// The header that part 0 begins with; the changes are not looked at.
    ///
    /// - Throws: `malformed`, or `newerVersion` for flags that this version does not know.
    package static func header(
        of part0: PartBytes, origin: ReplicaID, sequence: UInt64, previousChain: Digest128 = .zero, chain: Digest128 = .zero
    ) throws(StorageError) -> TransactionHeader {
        var reader = part0.reader
        return try TransactionHeader(
            from: &reader, origin: origin, sequence: sequence, previousChain: previousChain, chain: chain)
    }

    /// The change groups of any part of a transaction.
    package mutating func groups(of part: PartBytes, origin: ReplicaID, sequence: UInt64) throws(StorageError) -> GroupReader {
        guard part.count <= TransactionFormat.maximumPart else {
            throw .malformed("a part of \(part.count) bytes", offset: UInt64(part.range.lowerBound))
        }
        var reader = part.reader
        let isVoid = try skipHeader(&reader, origin: origin)
        let tables = try tables(from: &reader, own: origin)
        if isVoid, !tables.isEmpty || !reader.isAtEnd { throw reader.failure("a void transaction with changes") }
        return GroupReader(reader, tables: tables, origin: origin, sequence: sequence)
    }

    /// The values of type blob that a part writes, those kept inline included, in order.
    ///
    /// A part whose tables name no column of that type is not read further, and changes that need a newer version are passed over: what
    /// they hold is for whoever can read them.
    package mutating func blobs(
        of part: PartBytes, origin: ReplicaID, sequence: UInt64
    ) throws(StorageError) -> [BlobReference] {
        var reader = part.reader
        _ = try skipHeader(&reader, origin: origin)
        guard try tables(from: &reader, own: origin).columns.contains(where: { $0.property.type == .blob }) else { return [] }
        var groups = try groups(of: part, origin: origin, sequence: sequence)
        var found: [BlobReference] = []
        while let group = try groups.nextReadable() { group.appendBlobs(to: &found) }
        return found
    }

    /// The values of type blob that a part holds, what it overwrote or took away included.
    ///
    /// - Throws: `newerVersion` for changes that this version cannot read: they may name blobs, too.
    package mutating func namedBlobs(
        of part: PartBytes, origin: ReplicaID, sequence: UInt64
    ) throws(StorageError) -> [BlobReference] {
        var reader = part.reader
        _ = try skipHeader(&reader, origin: origin)
        guard try tables(from: &reader, own: origin).columns.contains(where: { $0.property.type == .blob }) else { return [] }
        var groups = try groups(of: part, origin: origin, sequence: sequence)
        var found: [BlobReference] = []
        while let group = try groups.next() { group.appendNamedBlobs(to: &found) }
        return found
    }

    /// Calls `body` with each change of a part in order.
    package mutating func forEachChange(
        of part: PartBytes, origin: ReplicaID, sequence: UInt64, _ body: (Change) throws -> Void
    ) throws {
        var groups = try groups(of: part, origin: origin, sequence: sequence)
        while let group = try groups.next() { try group.forEachChange(body) }
    }

    /// A whole transaction.
    ///
    /// For those that fit memory: one of a single part always does.
    package mutating func decode(
        parts: [PartBytes], origin: ReplicaID, sequence: UInt64, previousChain: Digest128 = .zero, chain: Digest128 = .zero
    ) throws(StorageError) -> Transaction {
        let grouped = try decodeGroups(
            parts: parts, origin: origin, sequence: sequence, previousChain: previousChain, chain: chain)
        var changes: [Change] = []
        for group in grouped.groups { group.forEachChange { changes.append($0) } }
        return Transaction(header: grouped.header, changes: changes)
    }

    /// A whole transaction by its groups; see ``decode(parts:origin:sequence:previousChain:chain:)``.
    package mutating func decodeGroups(
        parts: [PartBytes], origin: ReplicaID, sequence: UInt64, previousChain: Digest128 = .zero, chain: Digest128 = .zero
    ) throws(StorageError) -> GroupedTransaction {
        precondition(!parts.isEmpty, "a transaction has at least one part")
        let header = try TransactionDecoder.header(
            of: parts[0], origin: origin, sequence: sequence, previousChain: previousChain, chain: chain)
        if header.isVoid, parts.count > 1 { throw .malformed("a void transaction of several parts", offset: 0) }
        var found: [ChangeGroup] = []
        for (number, part) in parts.enumerated() {
            guard (part.slice.first ?? 0) & TransactionFormat.Flag.continuation == 0 || number > 0 else {
                throw .malformed("a further part where a transaction begins", offset: UInt64(part.range.lowerBound))
            }
            var groups = try groups(of: part, origin: origin, sequence: sequence)
            while let group = try groups.next() { found.append(group) }
        }
        return GroupedTransaction(header: header, groups: found)
    }

    /// Moves to the tables.
    ///
    /// Returns whether the transaction is void.
    private func skipHeader(_ reader: inout ByteReader, origin: ReplicaID) throws(StorageError) -> Bool {
        let start = reader.position
        let flags = try reader.partFlags()
        if flags & TransactionFormat.Flag.continuation != 0 {
            guard flags & TransactionFormat.Flag.void == 0 else {
                throw .malformed("a further part of a void transaction", offset: UInt64(start))
            }
            return false
        }
        reader.position = start
        return try TransactionHeader(from: &reader, origin: origin, sequence: 1, previousChain: .zero, chain: .zero).isVoid
    }

    private mutating func tables(from reader: inout ByteReader, own: ReplicaID) throws(StorageError) -> PartTables {
        if let cached, cachedOwn == own, reader.remaining >= cachedBytes.count {
            let range = reader.position..<reader.position + cachedBytes.count
            if reader.bytes[range].elementsEqual(cachedBytes) {
                reader.position = range.upperBound
                return cached
            }
        }
        let start = reader.position
        let tables = try PartTables(from: &reader, own: own)
        cachedBytes = Array(reader.bytes[start..<reader.position])
        cachedOwn = own
        cached = tables
        return tables
    }
}
