import EventLog
import Storage
import Testing

@Suite struct VersionVectorTests {
    private func id(_ number: UInt64) -> ReplicaID { ReplicaID(Digest128(high: number, low: 0)) }
    private func chain(_ number: UInt64) -> Digest128 { Digest128(high: 0, low: number) }

    private func vector(_ sequences: [(UInt64, UInt64)]) -> VersionVector {
        VersionVector(sequences.map { VersionVector.Entry(origin: id($0.0), sequence: $0.1, chain: chain($0.1)) })
    }

    @Test func entriesAscendWhateverTheOrder() {
        let vector = vector([(3, 1), (1, 5), (2, 2), (1, 4)])
        #expect(vector.entries.map(\.origin) == [id(1), id(2), id(3)])
        #expect(vector.sequence(of: id(1)) == 5)
        #expect(vector.sequence(of: id(9)) == 0)
        #expect(vector == self.vector([(2, 2), (1, 5), (3, 1)]))
    }

    @Test func ordersOfTwo() {
        let a = vector([(1, 1), (2, 2)])
        #expect(a.compare(to: a) == .equal)
        #expect(a.compare(to: vector([(1, 1)])) == .after)
        #expect(a.compare(to: vector([(1, 1), (2, 2), (3, 1)])) == .before)
        #expect(a.compare(to: vector([(1, 2)])) == .concurrent)
        #expect(a.covers(a))
        #expect(a.covers(vector([])))
        #expect(!a.covers(vector([(1, 2)])))
    }

    @Test func coversObjectsByTheirCreation() {
        let a = vector([(1, 4)])
        #expect(a.covers(ObjectID(replica: id(1), sequence: 4, index: 9)))
        #expect(!a.covers(ObjectID(replica: id(1), sequence: 5, index: 0)))
        #expect(!a.covers(ObjectID(replica: id(2), sequence: 1, index: 0)))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func mergeTakesTheHigherOfEach(seed: UInt64) {
        var dice = Dice(seed)
        func make() -> [(UInt64, UInt64)] { (0..<dice.below(12)).map { _ in (dice.next() % 10, dice.next() % 6) } }
        let a = vector(make())
        let b = vector(make())
        var merged = a
        merged.merge(b)
        #expect(merged == VersionVector(a.entries + b.entries))
        #expect(merged.covers(a) && merged.covers(b))
        var other = b
        other.merge(a)
        #expect(other == merged)
    }

    @Test func forksAreEqualSequencesOfDifferentChains() {
        var a = vector([(1, 1), (2, 2)])
        var b = vector([(1, 1), (3, 3)])
        #expect(a.forks(from: b).isEmpty)
        a.advance(id(3), to: 3, chain: chain(99))
        b.advance(id(2), to: 5, chain: chain(98))
        #expect(a.forks(from: b) == [id(3)])
    }
}
