import EventLog
import Storage
import Testing

@Suite struct ObjectIDTests {
    private let id = ObjectID(replica: ReplicaID(Digest128(high: 0xAB, low: 1)), sequence: .max, index: .max)

    @Test(arguments: ["Post", "a b", "Ünï/côde", "100%", "%41", "x.y~z", "\u{0}", "日本"])
    func urisReadBack(_ entity: String) throws {
        let uri = id.uri(entity: entity)
        #expect(uri.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        let read = try #require(ObjectID.parse(uri: uri))
        #expect(read.id == id && read.entity == entity)
    }

    @Test(arguments: [
        "", "strandline://", "strandline:///Post/1.0", "http://000000000000000000000000000000ab/Post/1.0",
        "strandline://000000000000000000000000000000ab/Post/0.0", "strandline://000000000000000000000000000000ab/Post/1",
        "strandline://000000000000000000000000000000ab/Post/1.0.0", "strandline://000000000000000000000000000000ab/Post/-1.0",
        "strandline://000000000000000000000000000000ab/Post/1.4294967296", "strandline://000000000000000000000000000000ab//1.0",
        "strandline://000000000000000000000000000000ab/Post/18446744073709551616.0",
        "strandline://000000000000000000000000000000ab/%zz/1.0", "strandline://000000000000000000000000000000ab/%4/1.0",
        "strandline://000000000000000000000000000000ab/%+1/1.0", "strandline://000000000000000000000000000000ab/%ff/1.0",
        "strandline://000000000000000000000000000000a/Post/1.0", "strandline://000000000000000000000000000000ab/Post/1.0/",
        "strandline://000000000000000000000000000000ab/Post/.",
    ]) func otherTextsAreRefused(_ text: String) {
        #expect(ObjectID.parse(uri: text) == nil)
    }

    @Test func idsSortByCreation() {
        let (a, b) = (ReplicaID(Digest128(high: 0, low: 1)), ReplicaID(Digest128(high: 0, low: 2)))
        let ids = [(a, 1, 0), (a, 1, 1), (a, 2, 0), (b, 1, 0)].map { ObjectID(replica: $0.0, sequence: $0.1, index: $0.2) }
        #expect(ids.reversed().sorted() == ids)
    }
}
