import EventLog
import Projection
import Storage

/// Something that a store did or noticed, as its log files keep it: one line of JSON.
package struct StoreRecord: Sendable {
    /// Whether a record is of a moment, or of an end of what takes time.
    package enum Phase: String, Sendable {
        case begin, end, failed
    }

    /// Milliseconds since 1970.
    package var time: UInt64
    package var level: RecordImportance
    package var kind: RecordKind
    package var phase: Phase?
    /// What the records of one beginning and its end have in common.
    package var span: UInt64?
    package var fields: [RecordField]

    package init(
        time: UInt64, level: RecordImportance, kind: RecordKind, phase: Phase? = nil, span: UInt64? = nil,
        fields: [RecordField] = []
    ) {
        self.time = time
        self.level = level
        self.kind = kind
        self.phase = phase
        self.span = span
        self.fields = fields
    }

    /// A text of a field is cut behind so many bytes.
    private static let textLimit = 512

    /// The line in a file, with its end.
    ///
    /// - Parameters:
    ///   - opening: what all records of one opening of a store have in common.
    ///   - root: the directory of the store, which no path in a record begins with.
    package func line(opening: String, root: String) -> [UInt8] {
        let contents = fields.map { ($0.name.rawValue, Self.content($0.content, root)) }
        var line = RecordLine()
        line.add("time", text: Self.text(time))
        line.add("level", text: level.rawValue)
        line.add("category", text: kind.category.rawValue)
        line.add("kind", text: kind.rawValue)
        if let phase { line.add("phase", text: phase.rawValue) }
        if let span { line.add("span", number: "\(span)") }
        line.add("opening", text: opening)
        line.add("message", text: message(contents))
        for (name, content) in contents {
            switch content {
            case .text(let text): line.add(name, text: text)
            case .literal(let literal): line.add(name, number: literal)
            }
        }
        return line.finish()
    }

    private enum Written {
        case text(String)
        case literal(String)

        var shown: String {
            switch self {
            case .text(let text), .literal(let text): text
            }
        }
    }

    private func message(_ fields: [(name: String, content: Written)]) -> String {
        var text = kind.sentence
        switch phase {
        case .begin: text += " began"
        case .end: text += " ended"
        case .failed: text += " failed"
        case nil: break
        }
        guard !fields.isEmpty else { return text }
        return text + ": " + fields.map { "\($0.name) \($0.content.shown)" }.joined(separator: ", ")
    }

    private static func content(_ content: RecordField.Content, _ root: String) -> Written {
        switch content {
        case .number(let number): .literal("\(number)")
        case .duration(let nanoseconds): .literal(milliseconds(nanoseconds))
        case .flag(let flag): .literal("\(flag)")
        case .text(let text): .text(cut(text))
        case .path(let path): .text(cut(inside(path, root)))
        }
    }

    /// `12.345`.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let micros = nanoseconds / 1_000
        let rest = "\(micros % 1_000)"
        return "\(micros / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    /// A path within the store, or the name of what is elsewhere.
    private static func inside(_ path: String, _ root: String) -> String {
        let names = Path.names(of: path)
        let store = Path.names(of: root)
        return names.starts(with: store) ? names.dropFirst(store.count).joined(separator: "/") : names.last ?? ""
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= textLimit ? text : String(decoding: text.utf8.prefix(textLimit), as: UTF8.self) + "…"
    }

    /// `2026-11-30T08:30:00.125Z`.
    package static func text(_ milliseconds: UInt64) -> String {
        DateLiteral.milliseconds(Double(milliseconds) / 1_000 - from1970To2001) ?? "\(milliseconds)"
    }

    private static let from1970To2001 = 978_307_200.0
}
