import EventLog
import Projection
import Storage
import Testing

@Suite struct FoldStateStateDigestTests {
    /// Every byte of a small state by hand, after SPEC.md 5.10.
    @Test func theStateDigestIsTheSumOverTheBytesOfTheSpecification() {
        var a = Scribe(0xa)
        a.write(at: 1, SmallModel.insert(a.object(1), "T", SmallModel.named("é")))
        a.write(at: 2, SmallModel.add(-1, to: a.object(1), "T"), SmallModel.tag(a.object(1), a.object(1)))
        let id = [0, 0, 0, 0xa, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
        let object = id + [1, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0]
        let length: [UInt8] = [1, 0, 0, 0]
        let created: [UInt8] = [0, 0, 1, 0, 0, 0, 0, 0]
        let name: [UInt8] = [4] + Array("name".utf8)
        let terms: [[UInt8]] = [
            [0x4F] + object + [1, 0x54] + length + created,
            [0x52] + object + length + name + [4, 0] + created + id + [4, 2, 0xC3, 0xA9],
            [0x43] + object + length + [5] + Array("count".utf8) + id + [UInt8](repeating: 0xFF, count: 8),
            [0x45] + object + length + [4] + Array("tags".utf8) + object + length,
        ]
        let sum = terms.map { Checksum.xxh3Wide($0.span) }.reduce(.zero, &+)
        #expect(ReferenceFold.fold(a.written).stateDigest == sum)
    }

    @Test func theContentDigestDoesNotDependOnIdentitiesAndTimes() {
        func content(_ digit: UInt64, _ start: UInt64, _ title: String) -> FoldState {
            var a = Scribe(digit)
            a.declare(at: start)
            let (box, tag, item) = (a.object(2), a.object(2, 1), a.object(3))
            a.write(
                at: start + 5, SmallModel.insert(box, "Box", SmallModel.named(title)),
                SmallModel.insert(tag, "Tag", SmallModel.named("t")))
            a.write(
                at: start + 9,
                SmallModel.insert(item, "Item", SmallModel.inside(box), PropertyValue(SmallModel.count, .counter(2))),
                SmallModel.tag(item, tag), SmallModel.add(1, to: item))
            return ReferenceFold.fold(a.written)
        }
        let (one, two) = (content(0xa, 1, "x"), content(0xb, 7_000, "x"))
        #expect(one.contentDigest == two.contentDigest)
        #expect(one.stateDigest != two.stateDigest)
        #expect(one.contentDigest != content(0xa, 1, "y").contentDigest)
    }

    @Test func namesAreComparedByBytes() {
        var a = Scribe(0xa)
        a.write(at: 1, SmallModel.insert(a.object(1), "\u{E9}"), SmallModel.insert(a.object(1, 1), "e\u{301}"))
        let state = ReferenceFold.fold(a.written)
        #expect(state.populatedEntities.count == 2)
        #expect(state.objects(of: WireName("\u{E9}")) == [a.object(1)])
    }
}
