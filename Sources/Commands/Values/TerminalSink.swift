import Interchange

/// Standard output as a sink of JSON.
struct TerminalSink: JSONByteSink {
    private let terminal: Terminal

    init(_ terminal: Terminal) { self.terminal = terminal }

    func write(_ bytes: [UInt8]) { terminal.text(String(decoding: bytes, as: UTF8.self)) }
}

extension Terminal {
    /// Writes one JSON value on a line.
    func json(_ value: JSONValue) { data(value.text) }

    /// Writes an array, element by element.
    func jsonArray(_ elements: some Sequence<JSONValue>) throws { try jsonArray(elements) { $0 } }

    /// Writes what `json` makes of each element, one at a time.
    func jsonArray<Elements: Sequence>(_ elements: Elements, _ json: (Elements.Element) throws -> JSONValue) throws {
        var writer = JSONWriter(TerminalSink(self))
        writer.beginArray()
        for element in elements { try writer.append(try json(element)) }
        writer.endArray()
        try writer.finish()
    }
}
