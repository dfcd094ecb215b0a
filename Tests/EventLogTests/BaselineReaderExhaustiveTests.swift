import EventLog
import Storage
import Testing

@Suite struct BaselineReaderExhaustiveTests {
    @Test(arguments: 0..<10 as Range<UInt64>)
    func damageIsFoundOrSeen(seed: UInt64) throws {
        let baseline = BaselineReaderTests.baseline(seed: seed, objects: 5)
        let text = wholeText(of: baseline)
        let body = try BaselineReaderTests.bodies(baseline)[0]
        for position in body.indices {
            #expect(throws: StorageError.self) { try Baseline(bodies: [Array(body[..<position])]) }
            for bit in 0..<8 as Range<UInt8> {
                var changed = body
                changed[position] ^= 1 << bit
                guard let read = try? Baseline(bodies: [changed]) else { continue }
                // Blobs are equal by their names, texts when canonically equivalent: then they still print differently.
                let isSeen = read != baseline || !wholeText(of: read).utf8.elementsEqual(text.utf8)
                #expect(isSeen, "byte \(position), bit \(bit)")
            }
        }
    }
}
