/// An object's creation dot: which origin's transaction created it, and as the how manieth insert in it.
///
/// Because a store knows which transactions it has, the id alone tells whether an absent object was deleted or has not
/// arrived yet. Ids of one origin sort by creation.
public struct ObjectID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The origin of the creating transaction.
    public let replica: ReplicaID
    /// The creating transaction's sequence, from 1.
    public let sequence: UInt64
    /// Which insert of the transaction it was, from 0.
    public let index: UInt32

    package init(replica: ReplicaID, sequence: UInt64, index: UInt32) {
        self.replica = replica
        self.sequence = sequence
        self.index = index
    }

    public static func < (a: ObjectID, b: ObjectID) -> Bool {
        if a.replica != b.replica { return a.replica < b.replica }
        return (a.sequence, a.index) < (b.sequence, b.index)
    }

    /// The text `<replica>/<sequence>.<index>`.
    public var description: String { "\(replica)/\(sequence).\(index)" }

    /// `strandline://<replica>/<Entity>/<sequence>.<index>`, with the entity's name percent-encoded.
    public func uri(entity: String) -> String { "strandline://\(replica)/\(Self.escape(entity))/\(sequence).\(index)" }

    /// Reads what ``uri(entity:)`` gives; the entity is returned too.
    ///
    /// Nil for anything else.
    public static func parse(uri: some StringProtocol) -> (id: ObjectID, entity: String)? {
        let scheme = "strandline://"
        guard uri.hasPrefix(scheme) else { return nil }
        let parts = uri.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let replica = ReplicaID(parts[0]), let entity = unescape(parts[1]), !entity.isEmpty
        else { return nil }
        guard let id = ObjectID(replica: replica, position: parts[2]) else { return nil }
        return (id, entity)
    }

    /// Reads what ``description`` gives; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let replica = ReplicaID(parts[0]) else { return nil }
        self.init(replica: replica, position: parts[1])
    }

    /// - Parameter position: `<sequence>.<index>`
    private init?(replica: ReplicaID, position: some StringProtocol) {
        let numbers = position.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 2, let sequence = Self.decimal(numbers[0]), sequence > 0,
            let index = Self.decimal(numbers[1]).flatMap({ UInt32(exactly: $0) })
        else { return nil }
        self.init(replica: replica, sequence: sequence, index: index)
    }

    private static func decimal(_ text: some StringProtocol) -> UInt64? {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }) else { return nil }
        return UInt64(text)
    }

    private static func escape(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let isPlain =
                (UInt8(ascii: "a") <= byte && byte <= UInt8(ascii: "z"))
                || (UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z"))
                || (UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9")) || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
            if isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += byte < 16 ? "%0" : "%"
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func unescape(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            // A sign is a number's beginning to the initialiser, and no hexadecimal digit.
            guard digits.utf8.count == 2, digits.utf8.first != UInt8(ascii: "+"), let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
