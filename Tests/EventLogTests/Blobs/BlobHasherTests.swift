import EventLog
import Storage
import Testing

@Suite struct BlobHasherTests {
    /// Computed by Python's hashlib from the text of SPEC.md alone.
    static let answers: [(Int, String)] = [
        (0, "eb67a78039225ea7511009760c007929e4fad8bec202f33331f19d94429294fe"),
        (1, "6ce93085664612f28b95fb98490d8bb56321c008c4c47f377158bea28abf9402"),
        (65_536, "5f5db42a168898586d0e79b6fabd0693e8cb816077ea96a62a5ac249b42f4f79"),
        (65_537, "c77d39c389eb952a72b22f75980e40f5eeb0fed4f629242a3eeeb6ad1b443cd5"),
        (524_287, "cbf533e55d7fcb5ce22d76c7343b72d714d2573f2ce2cb35c03fd5269d0a35d4"),
        (524_288, "84e016bc24ed4684cf14c339e4bbed2970792de671b84a916e07defc530170e6"),
        (524_289, "90fbb1cccad6f8616703aa23ca2c9e867996afd2227e414e804508ccb724f7e3"),
        (1_048_576, "7f10dde6678261e7f61b0d4968475eb799832841bfaee60ccbe7d2039d83afc3"),
        (1_572_865, "b29c5bce9ee9b1e89bb633d5d40a21fe2d9e836c13e9ee49c52a14e140a0849d"),
    ]

    @Test(arguments: answers) func knownAnswer(length: Int, id: String) {
        #expect(BlobHasher.hash(BlobFixture.content(length).span).description == id)
    }

    @Test(arguments: [1, 4_099, 524_287, 524_288, 1_000_000]) func piecesMakeNoDifference(piece: Int) {
        let bytes = BlobFixture.content(piece == 1 ? 65_537 : 1_572_865)
        var hasher = BlobHasher()
        for start in stride(from: 0, to: bytes.count, by: piece) {
            hasher.update(bytes.span.extracting(start..<min(start + piece, bytes.count)))
        }
        #expect(hasher.length == UInt64(bytes.count))
        let id = hasher.finalize()
        #expect(id == BlobHasher.hash(bytes.span))
    }
}
