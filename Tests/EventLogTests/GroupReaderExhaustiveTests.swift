import EventLog
import Storage
import Testing

@Suite struct GroupReaderExhaustiveTests {
    private func decode(_ bytes: [UInt8], _ made: RandomTransaction) throws(StorageError) -> Transaction {
        var decoder = TransactionDecoder()
        return try decoder.decode(parts: [PartBytes(bytes)], origin: made.origin, sequence: made.sequence)
    }

    /// Whether two parts mean the same to the byte: blobs are equal by their names, texts when canonically equivalent.
    private func isSame(_ a: Transaction, _ b: Transaction) -> Bool {
        a == b && wholeText(of: a.changes).utf8.elementsEqual(wholeText(of: b.changes).utf8)
    }

    @Test(arguments: 0..<80 as Range<UInt64>)
    func aFlippedBitIsFoundOrSeen(seed: UInt64) throws {
        let made = RandomTransaction(seed: seed, count: 1 + Int(seed % 9))
        let (parts, _) = try encode(made.changes, origin: made.origin, sequence: made.sequence, author: "a")
        let original = try decode(parts[0].bytes, made)
        for position in parts[0].bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                var bytes = parts[0].bytes
                bytes[position] ^= 1 << bit
                guard let changed = try? decode(bytes, made) else { continue }
                #expect(changed.changes.count <= TransactionFormat.maximumCells)
                let isSeen = !isSame(changed, original)
                #expect(isSeen, "byte \(position), bit \(bit)")
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func aTruncatedPartIsFoundOrSeen(seed: UInt64) throws {
        let made = RandomTransaction(seed: seed, count: 1 + Int(seed % 20))
        let (parts, _) = try encode(made.changes, origin: made.origin, sequence: made.sequence)
        let original = try decode(parts[0].bytes, made)
        for length in 0..<parts[0].count {
            guard let cut = try? decode(Array(parts[0].bytes[..<length]), made) else { continue }
            #expect(cut.changes.count < original.changes.count, "cut at \(length)")
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func noiseNeverTraps(seed: UInt64) throws {
        var dice = Dice(seed)
        let made = RandomTransaction(seed: seed, count: 6)
        let (parts, _) = try encode(made.changes, origin: made.origin, sequence: made.sequence)
        for _ in 0..<2000 {
            var bytes = parts[0].bytes
            for _ in 0..<1 + dice.below(6) { bytes[dice.below(bytes.count)] = UInt8(truncatingIfNeeded: dice.next()) }
            if let noisy = try? decode(bytes, made) { #expect(noisy.changes.count <= TransactionFormat.maximumCells) }
        }
    }
}
