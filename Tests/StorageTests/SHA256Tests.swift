import Dispatch
import Storage
import Synchronization
import Testing

@Suite struct SHA256Tests {
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// FIPS 180-4 examples, and `sha256sum` over ``patternBytes(_:)``.
    @Test func knownVectors() {
        let hash = { (text: String) in Self.hex(SHA256.hash(Array(text.utf8).span)) }
        #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            Self.hex(SHA256.hash(patternBytes(100_000).span))
                == "d96bab6a55ee326ba206dd4a85a6e95e14360d7fabbf448f03e689c24382b7d0")
    }

    @Test(arguments: [1, 7, 63, 64, 65, 4_096]) func piecesGiveTheSame(_ size: Int) {
        let bytes = patternBytes(10_000)
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: size) {
            hash.update(bytes.span.extracting(start..<min(start + size, bytes.count)))
        }
        #expect(hash.finalize() == SHA256.hash(bytes.span))
    }

    @Test func threadsDoNotDisturbEachOther() {
        let expected = SHA256.hash(patternBytes(50_000).span)
        let right = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20 where SHA256.hash(patternBytes(50_000).span) == expected { right.withLock { $0 += 1 } }
        }
        #expect(right.withLock { $0 } == 160)
    }
}
