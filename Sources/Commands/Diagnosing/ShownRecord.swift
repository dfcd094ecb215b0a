import EventLog
import Interchange
import Projection
import Strandline

/// A record of a store as it is printed and asked for, read from its line.
struct ShownRecord {
    let json: JSONValue
    /// Milliseconds since 1970.
    let time: UInt64
    private let members: [JSONMember]

    private static let types: [String: ValueType] = Dictionary(
        RecordFilter.common + RecordFieldName.allCases.map { ($0.rawValue, $0.type) }, uniquingKeysWith: { $1 })

    /// Nil for what is no record.
    init?(line: [UInt8]) {
        var parser = JSONParser(MemoryByteSource(line))
        guard let value = try? parser.value(), (try? parser.finish()) != nil, case .object(let members) = value,
            case .string(let text)? = members.value(of: "time"), let time = DateArgument(argument: text)
        else { return nil }
        json = value
        self.members = members
        self.time = time.milliseconds
    }

    subscript(name: String) -> String? {
        if case .string(let text)? = members.value(of: name) { text } else { nil }
    }

    /// One line for people; nothing in it moves the cursor.
    var text: String {
        let level = self["level"] ?? "?"
        let category = self["category"] ?? "?"
        let line = "\(DateArgument.text(time))  \(Self.padded(level, 6))  \(Self.padded(category, 9))  \(self["message"] ?? "")"
        var shown = ""
        for scalar in line.unicodeScalars {
            if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The members as a predicate sees them.
    var values: [String: Value] {
        var values: [String: Value] = [:]
        for member in members {
            let value: Value? =
                switch (Self.types[member.key], member.value) {
                case (.string?, .string(let text)): .string(text)
                case (.date?, .string(let text)): DateLiteral.seconds(text).map { .date($0) }
                case (.int?, .integer(let number)): .int(number)
                case (.double?, .integer(let number)): .double(Double(number))
                case (.double?, .number(let number)): .double(number)
                case (.bool?, .bool(let flag)): .bool(flag)
                default: nil
                }
            if let value { values[member.key] = value }
        }
        return values
    }
}
