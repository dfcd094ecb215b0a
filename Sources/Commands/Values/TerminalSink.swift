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
    func jsonArray(_ elements: some Sequence<JSONValue>) throws {
        var writer = JSONWriter(TerminalSink(self))
        writer.beginArray()
        for element in elements { try writer.append(element) }
        writer.endArray()
        try writer.finish()
    }
}
