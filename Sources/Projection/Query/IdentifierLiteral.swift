import EventLog
package import Storage

/// UUIDs, object ids and bytes as predicates write them.
package enum IdentifierLiteral {
    /// Reads `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in either case.
    package static func uuid(_ text: String) -> Digest128? {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        return Digest128(groups.joined())
    }

    /// The upper-case form with dashes that Foundation prints.
    package static func text(_ bits: Digest128) -> String {
        let digits = Array(bits.description.uppercased())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    /// Reads a URI, or `<replica>/<sequence>.<index>` as an id describes itself.
    ///
    /// The entity is nil for the latter.
    static func object(_ text: String) -> (id: ObjectID, entity: String?)? {
        if let (id, entity) = ObjectID.parse(uri: text) { return (id, entity) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let (id, _) = ObjectID.parse(uri: "strandline://\(parts[0])/-/\(parts[1])") else { return nil }
        return (id, nil)
    }

    /// Reads pairs of hexadecimal digits.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            result.append(UInt8(high << 4 | low))
        }
        return result
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
