import Projection
import Testing

@Suite("Aggregate")
struct AggregateTests {
    @Test(
        "reads the command line's form",
        arguments: [
            ("count", "count"), ("avg:magnitude,MAX:magnitude", "avg:magnitude,max:magnitude"),
            ("sum : author.age , count:place", "sum:author.age,count:place"), ("min:`net-worth`", "min:`net-worth`"),
        ])
    func accepts(text: String, canonical: String) throws {
        #expect(try Aggregate.parse(text).map(\.description).joined(separator: ",") == canonical)
    }

    @Test(
        "says where it cannot",
        arguments: [
            ("", 0, "property's name"), ("avg", 3, "expected ':'"), ("median:x", 0, "there are count, sum, avg, min, max"),
            ("avg:", 4, "property's name"), ("avg:x max:y", 6, "expected ','"), ("count,", 6, "property's name"),
        ])
    func refuses(text: String, position: Int, message: String) throws {
        let error = try #require(throws: PredicateError.self) { try Aggregate.parse(text) }
        #expect(error.position == position)
        #expect(error.message.contains(message), "\(error.message)")
    }
}
