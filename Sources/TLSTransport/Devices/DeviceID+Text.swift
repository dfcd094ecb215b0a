// Invariants
// * 52 characters of 5 bits hold the 256 bits, first bit first; the last four bits are zero.
// * Each four characters are followed by one that makes them, with the number of their group, a word of a code over the field of
//   32 elements: the sum of α^5·group, α^4·a, α^3·b, α^2·c, α·d and the check character is zero. No two factors are equal, so one
//   wrong character, two that changed places, and two groups that changed places are always noticed.

extension DeviceID: CustomStringConvertible, LosslessStringConvertible {
    private static let groups = 13
    private static let data = 4
    /// Digits and capitals without I, L, O and U, which are taken for others.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// 13 groups of five characters with dashes between them; the fifth of each is a check character.
    public var description: String {
        var text: [UInt8] = []
        for group in 0..<Self.groups {
            if group > 0 { text.append(UInt8(ascii: "-")) }
            let values = (0..<Self.data).map { value(at: group * Self.data + $0) }
            for value in values + [Self.check(values, group: group)] { text.append(Self.alphabet[Int(value)]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads an id as people type it; nil for what is none.
    ///
    /// ``init(parsing:)`` says what is wrong.
    public init?(_ description: String) {
        guard let id = try? DeviceID(parsing: description) else { return nil }
        self = id
    }

    /// Reads an id as people type it: in any case, with or without dashes and spaces, with O for 0, and I or L for 1.
    ///
    /// - Throws: ``DeviceError/Code/badDeviceID``, naming the group with the mistake.
    public init(parsing text: String) throws(DeviceError) {
        let typed = text.split { $0 == "-" || $0.isWhitespace }
        let characters = typed.joined()
        guard characters.count == Self.groups * (Self.data + 1) else {
            throw Self.wrongLength(typed, count: characters.count)
        }
        var values: [UInt8] = []
        let all = Array(characters)
        for group in 0..<Self.groups {
            let letters = all[group * (Self.data + 1)..<(group + 1) * (Self.data + 1)]
            let word = try letters.map { letter throws(DeviceError) -> UInt8 in
                guard let value = Self.value(of: letter) else {
                    throw DeviceError(
                        .badDeviceID,
                        "group \(group + 1) of the device id, \(String(letters)), has the character \(letter), which no id has")
                }
                return value
            }
            guard Self.check(Array(word.dropLast()), group: group) == word.last else {
                throw DeviceError(
                    .badDeviceID,
                    "group \(group + 1) of the device id, \(String(letters)), is mistyped; compare its five characters")
            }
            values += word.dropLast()
        }
        guard let id = Self(values: values) else {
            throw DeviceError(.badDeviceID, "group \(Self.groups) of the device id is mistyped; compare its five characters")
        }
        self = id
    }

    private init?(values: [UInt8]) {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for value in values {
            bits = bits << 5 | UInt32(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        guard bits & (1 << UInt32(count) - 1) == 0 else { return nil }
        self.init(bytes: bytes)
    }

    /// The five bits from bit `5 * index` on, with zeros after the end.
    private func value(at index: Int) -> UInt8 {
        let (byte, shift) = (index * 5 / 8, index * 5 % 8)
        let first = UInt16(bytes[byte]) << 8
        let second = byte + 1 < bytes.count ? UInt16(bytes[byte + 1]) : 0
        return UInt8(truncatingIfNeeded: (first | second) >> UInt16(11 - shift)) & 31
    }

    private static func check(_ values: [UInt8], group: Int) -> UInt8 {
        times2(values.reduce(UInt8(group + 1)) { times2($0) ^ $1 })
    }

    /// α times an element, in the field of 32 elements with α^5 = α^2 + 1.
    private static func times2(_ element: UInt8) -> UInt8 {
        let product = element << 1
        return product & 32 == 0 ? product : (product ^ 0b10_0101)
    }

    private static func value(of letter: Character) -> UInt8? {
        guard let ascii = letter.uppercased().utf8.first, letter.isASCII else { return nil }
        switch ascii {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: ascii).map(UInt8.init)
        }
    }

    private static func wrongLength(_ typed: [Substring], count: Int) -> DeviceError {
        // Typed with its dashes, it shows where the one is that lacks or has too much.
        if typed.count == groups, let wrong = typed.firstIndex(where: { $0.count != data + 1 }) {
            return DeviceError(
                .badDeviceID,
                "group \(wrong + 1) of the device id, \(typed[wrong]), has \(typed[wrong].count) characters, not \(data + 1)")
        }
        return DeviceError(
            .badDeviceID,
            "the device id has \(count) characters, not \(groups * (data + 1)) in \(groups) groups; see whether all was copied")
    }
}
