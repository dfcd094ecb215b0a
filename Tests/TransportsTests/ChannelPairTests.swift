import Synchronization
import Testing
import TransportContract
import Transports

@Suite("ChannelPair")
struct ChannelPairTests {
    @Test("each direction holds its capacity, and tells when that helps the other side")
    func capacity() throws {
        let pair = ChannelPair(capacity: 3, name: "ab", identities: (nil, .device("B")))
        let wakes = Mutex([0, 0])
        pair.first.onChange { wakes.withLock { $0[0] += 1 } }
        pair.second.onChange { wakes.withLock { $0[1] += 1 } }
        func seen() -> [Int] {
            wakes.withLock { seen in
                defer { seen = [0, 0] }
                return seen
            }
        }
        #expect(seen() == [1, 1], "whatever came before is told at once")
        #expect(try pair.first.write([1, 2].span) == 2)
        #expect(seen() == [0, 1], "bytes where there were none")
        #expect(try pair.first.write([3, 4, 5].span) == 1)
        #expect(try pair.first.write([4].span) == 0)
        #expect(seen() == [0, 0])
        let second = try ByteStream(pair.second)
        #expect(try second.readNow(2) == [1, 2])
        #expect(seen() == [1, 0], "room where there was none")
        #expect(try pair.first.write([4, 5].span) == 2)
        #expect(try second.readNow() == [3, 4, 5])
        #expect(try second.readNow() == [])
        #expect(pair.first.peer == "pair:ab" && pair.second.identity == .device("B"))
        _ = seen()
        pair.first.close()
        #expect(try second.readNow() == nil)
        #expect(throws: TransportError.self) { try pair.second.write([1].span) }
    }

    @Test("capacities of all sizes keep the order", arguments: [1, 2, 7, 64])
    func wrapping(capacity: Int) throws {
        let pair = ChannelPair(capacity: capacity)
        let (first, second) = (try ByteStream(pair.first), try ByteStream(pair.second))
        let bytes = TransferRule.bytes(1_000, seed: UInt64(capacity))
        var (sent, received): (Int, [UInt8]) = (0, [])
        while received.count < bytes.count {
            sent += try first.writeNow(bytes, from: sent, limit: 1 + sent % 5)
            received += try second.readNow(1 + received.count % 3) ?? []
        }
        #expect(received == bytes)
    }
}
