import EventLog
import Storage

// Names of what is in a replica's subfolder beside its exchange files: hexadecimal digits of fixed lengths, and nothing else is looked at.
extension ExchangeFormat {
    static let acknowledgementSuffix = ".strdk"
    static let tableSuffix = ".strdb"
    static let pieceSuffix = ".strdp"

    /// Stored bytes after which a piece of a baseline is closed.
    static let preferredPiece: UInt64 = 16 << 20

    static func acknowledgementName(_ number: UInt64) -> String { Digest128.hex(number) + acknowledgementSuffix }

    static func tableName(_ identity: Digest128, bodies: Int) -> String {
        "\(identity)-\(Digest128.hex(UInt64(bodies)))\(tableSuffix)"
    }

    static func pieceName(_ identity: Digest128, _ bodies: ClosedRange<Int>) -> String {
        "\(identity)-\(Digest128.hex(UInt64(bodies.lowerBound)))-\(Digest128.hex(UInt64(bodies.upperBound)))\(pieceSuffix)"
    }

    /// The number in the name of an acknowledgement; nil for any other name.
    static func acknowledgement(_ name: String) -> UInt64? {
        guard name.hasSuffix(acknowledgementSuffix),
            let number = UInt64(name.dropLast(acknowledgementSuffix.utf8.count), radix: 16),
            acknowledgementName(number) == name
        else { return nil }
        return number
    }

    /// The baseline and the count of its bodies in the name of a table; nil for any other name.
    static func table(_ name: String) -> (identity: Digest128, bodies: Int)? {
        guard let fields = fields(name, tableSuffix), fields.count == 2, let identity = Digest128(fields[0]),
            let bodies = bodyNumber(fields[1]), bodies > 0, tableName(identity, bodies: bodies) == name
        else { return nil }
        return (identity, bodies)
    }

    /// The baseline and the numbers of the bodies in the name of a piece; nil for any other name.
    static func piece(_ name: String) -> (identity: Digest128, bodies: ClosedRange<Int>)? {
        guard let fields = fields(name, pieceSuffix), fields.count == 3, let identity = Digest128(fields[0]),
            let first = bodyNumber(fields[1]), let last = bodyNumber(fields[2]), first <= last,
            pieceName(identity, first...last) == name
        else { return nil }
        return (identity, first...last)
    }

    private static func fields(_ name: String, _ suffix: String) -> [Substring]? {
        guard name.hasSuffix(suffix) else { return nil }
        return name.dropLast(suffix.utf8.count).split(separator: "-", omittingEmptySubsequences: false)
    }

    private static func bodyNumber(_ digits: Substring) -> Int? {
        guard let number = UInt64(digits, radix: 16), number <= UInt64(BaselineFormat.maximumBodies) else { return nil }
        return Int(number)
    }
}
