package import Storage

/// A position in the history of a dataset: a store's state after certain transactions.
///
/// Opaque: keep it, compare it, hand it to another store of the same dataset. It is `Codable` as the text that ``description``
/// gives, and takes about 33 bytes for each replica that ever wrote.
///
/// ```swift
/// let receipt = try await store.write { … }
/// let text = receipt.token.description
/// let token = try HistoryToken(text)
/// for try await transaction in store.history(after: token) { … }
/// ```
public struct HistoryToken: Hashable, Sendable, CustomStringConvertible {
    /// Where the log that gave the token was; of use to that log alone.
    package struct Hint: Hashable, Sendable {
        package let log: Digest128
        package let lsn: UInt64
        /// The header checksum of the last frame there: proves everything before it.
        package let link: UInt64

        package init(log: Digest128, lsn: UInt64, link: UInt64 = 0) {
            self.log = log
            self.lsn = lsn
            self.link = link
        }
    }

    /// What a token may have at most, in bytes.
    package static let maximumSize = 512 << 10
    private static let version: UInt8 = 1

    /// The dataset whose history is meant.
    public let dataset: DatasetID
    /// The transactions covered.
    public let vector: VersionVector
    package let hint: Hint

    package init(dataset: DatasetID, vector: VersionVector, hint: Hint = Hint(log: .zero, lsn: 0)) {
        self.dataset = dataset
        self.vector = vector
        self.hint = hint
    }

    /// Reads what ``description`` gives.
    ///
    /// - Throws: ``LogError`` with `malformedToken` for anything else, and `unsupportedVersion` for a token of a newer version.
    public init(_ text: some StringProtocol) throws(LogError) {
        guard text.utf8.count <= (HistoryToken.maximumSize * 4 + 2) / 3, let bytes = Base64URL.decode(text.utf8) else {
            throw LogError(
                .malformedToken, "the token is not base64url text of at most 512 KiB; copy it whole, as it was printed")
        }
        try self.init(bytes: bytes)
    }

    /// Reads what ``encode()`` gives.
    package init(bytes: [UInt8]) throws(LogError) {
        do throws(StorageError) {
            guard bytes.count <= HistoryToken.maximumSize else { throw .malformed("\(bytes.count) bytes") }
            var reader = ByteReader(bytes)
            let version = try reader.u8()
            guard bytes.count >= 8 else { throw .malformed("it has \(bytes.count) bytes") }
            var trailer = ByteReader(bytes, bytes.count - 8..<bytes.count)
            guard try trailer.u64() == Checksum.xxh3(bytes.span.extracting(0..<bytes.count - 8)) else {
                throw .malformed("its checksum does not match")
            }
            guard version == HistoryToken.version else { throw .newerVersion("it has version \(version)", offset: 0) }
            dataset = DatasetID(try reader.digest())
            hint = Hint(log: try reader.digest(), lsn: try reader.varint(), link: try reader.u64())
            vector = VersionVector(ascending: try reader.entries())
            _ = try reader.u64()
            try reader.expectEnd()
        } catch {
            let isNewer = error.code == .newerVersion
            throw LogError(
                isNewer ? .unsupportedVersion : .malformedToken,
                isNewer
                    ? "the token needs a newer version of Strandline: \(error.detail ?? "something unknown")"
                    : "this is no token, or not all of one: \(error.detail ?? "malformed bytes"); copy it whole, as it was printed",
                underlying: error)
        }
    }

    /// The bytes that ``description`` writes as base64url: SPEC.md, section 7.
    package func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: 72 + 40 * vector.entries.count)
        writer.u8(HistoryToken.version)
        writer.digest(dataset.bits)
        writer.digest(hint.log)
        writer.varint(hint.lsn)
        writer.u64(hint.link)
        writer.count(vector.entries.count)
        for entry in vector.entries {
            writer.digest(entry.origin.bits)
            writer.varint(entry.sequence)
            writer.digest(entry.chain)
        }
        writer.u64(Checksum.xxh3(writer.bytes.span))
        return writer.bytes
    }

    /// Tokens are equal when they mean the same transactions, whichever store gave them.
    public static func == (a: HistoryToken, b: HistoryToken) -> Bool { a.dataset == b.dataset && a.vector == b.vector }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(dataset)
        hasher.combine(vector)
    }

    /// The token as base64url text without padding.
    public var description: String { Base64URL.encode(encode()) }
}

extension HistoryToken: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ByteReader {
    fileprivate mutating func entries() throws(StorageError) -> [VersionVector.Entry] {
        var entries: [VersionVector.Entry] = []
        for _ in 0..<(try count(max: TransactionFormat.maximumContext, minimumSize: 33)) {
            let start = position
            let entry = VersionVector.Entry(origin: ReplicaID(try digest()), sequence: try varint(), chain: try digest())
            guard entry.sequence > 0, entries.last.map({ $0.origin < entry.origin }) ?? true else {
                throw .malformed("origins that do not ascend", offset: UInt64(start))
            }
            entries.append(entry)
        }
        return entries
    }
}
