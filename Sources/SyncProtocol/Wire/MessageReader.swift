// Invariants
// * At most one message that is not whole, and what came with its end, is held: its length is checked against the limit of what may
//   come now before anything is kept for it.

import Storage

/// Cuts the bytes of a peer into messages.
package struct MessageReader {
    private var bytes: [UInt8] = []
    private var start = 0
    package init() {}

    /// Whether the preface has come.
    private var isOpen = false
    /// The longest payload that may come now.
    package var limit = WireFormat.maximumGreeting

    /// Whether a message has begun to arrive and is not whole.
    package var isWaiting: Bool { start < bytes.count }

    package mutating func append(_ more: ArraySlice<UInt8>) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 17)
            start = 0
        } else if start > 1 << 20 {
            bytes.removeSubrange(0..<start)
            start = 0
        }
        bytes += more
    }

    /// The next whole message, and the bytes of credit it used; nil when more must come first.
    ///
    /// - Throws: ``Refusal`` when what came is no message.
    package mutating func next() throws(Refusal) -> (message: Message, bulk: Int)? {
        while true {
            guard try readPreface() else { return nil }
            guard bytes.count - start >= WireFormat.headerSize else { return nil }
            var reader = ByteReader(bytes, start..<start + WireFormat.headerSize)
            do throws(StorageError) {
                let length = Int(try reader.u32())
                let number = try reader.u8()
                let zeros = try reader.bytes(3)
                let checksum = try reader.u64()
                guard length <= limit, zeros.allSatisfy({ $0 == 0 }) else {
                    throw reader.failure("a message of \(length) bytes, where \(limit) are the most")
                }
                let size = WireFormat.headerSize + length
                guard bytes.count - start >= size else { return nil }
                let payload = start + WireFormat.headerSize..<start + size
                let seed = UInt64(length) | UInt64(number) << 32
                guard Checksum.xxh3(bytes.span.extracting(payload), seed: seed) == checksum else {
                    throw reader.failure("a message whose checksum does not match its bytes")
                }
                start += size
                guard let kind = WireFormat.Kind(rawValue: number) else {
                    guard number & WireFormat.skippableBit != 0 else { throw reader.failure("a message of kind \(number)") }
                    continue
                }
                return (try Message(kind, Array(bytes[payload])), kind.isBulk ? size : 0)
            } catch {
                throw Refusal(.protocolBroken, "the peer sent what is no message: \(error.description)")
            }
        }
    }

    private mutating func readPreface() throws(Refusal) -> Bool {
        if isOpen { return true }
        let preface = WireFormat.preface
        let count = min(preface.count, bytes.count - start)
        guard bytes[start..<start + count].elementsEqual(preface[0..<count]) else {
            throw Refusal(.protocolBroken, "the peer does not speak the protocol of Strandline; is it the right address?")
        }
        guard count == preface.count else { return false }
        start += count
        isOpen = true
        return true
    }
}
