/// Bytes collected in memory.
package final class MemoryByteSink: JSONByteSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package func write(_ bytes: [UInt8]) { self.bytes.append(contentsOf: bytes) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
