import EventLog
import FoundationEssentials
import SampleModel
import Strandline
import Testing

@Suite struct EntityIDTests {
    @Test func textReadsBackAndNothingElseDoes() {
        let id = Post.ID(object(3))
        #expect(id.description == "000000000000000a000000000000000b/5.3")
        #expect(Post.ID(id.description) == id)
        for text in ["", "x", "\(id)x", "5.3", "000000000000000a000000000000000b/0.3", "000000000000000a000000000000000b/5"] {
            #expect(Post.ID(text) == nil, "\(text)")
        }
    }

    @Test func theCodedFormIsText() throws {
        let id = Post.ID(object(3))
        let coded = try JSONEncoder().encode([id])
        #expect(String(decoding: coded, as: UTF8.self) == #"["000000000000000a000000000000000b\/5.3"]"#)
        #expect(try JSONDecoder().decode([Post.ID].self, from: coded) == [id])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Post.ID].self, from: Data(#"["a"]"#.utf8)) }
    }

    @Test func placeholdersAreNoPermanentIds() {
        #expect(Post.ID().isPlaceholder)
        #expect(!Post.ID(object(3)).isPlaceholder)
        #expect(Post.ID() != Post.ID())
    }

    @Test func manyKeepsIdsInOrderAndOnce() throws {
        let ids = [3, 1, 2, 1].map { Post.ID(object($0)) }
        var many = Many(ids)
        #expect(many.map(\.object.index) == [1, 2, 3])
        #expect(many == Many(ids.reversed()))
        #expect(many.contains(Post.ID(object(2))) && !many.contains(Post.ID(object(4))))
        many.insert(Post.ID(object(0)))
        #expect(many.first == Post.ID(object(0)) && many.count == 4)
        #expect(try JSONDecoder().decode(Many<Post>.self, from: JSONEncoder().encode(many)) == many)
    }

    @Test func countersWrapAround() throws {
        var counter = Counter(.max)
        counter += 1
        #expect(counter.value == .min)
        #expect(try JSONDecoder().decode(Counter.self, from: JSONEncoder().encode(counter)) == counter)
    }

    @Test func blobsAreEqualByWhatTheyName() {
        #expect(Blob([1]) == Blob(Data([1])))
        #expect(Blob([1]) != Blob([2]))
        #expect(Blob(contentsOf: "a") != Blob(contentsOf: "b"))
        #expect(Blob([1]).length == 1 && Blob([1]).id == nil)
    }
}
