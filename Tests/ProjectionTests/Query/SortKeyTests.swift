import Projection
import Testing

@Suite("SortKey")
struct SortKeyTests {
    @Test(
        "reads the command line's form",
        arguments: [
            ("time", "time"), ("time,-magnitude", "time,-magnitude"),
            (" - place[C] , author.name[dc]", "-place[c],author.name[cd]"),
            ("-attachments.@count", "-attachments.@count"), ("`net-worth`,in", "`net-worth`,#in"),
        ])
    func accepts(text: String, canonical: String) throws {
        let keys = try SortKey.parse(text)
        #expect(keys.map(\.description).joined(separator: ",") == canonical)
        #expect(try SortKey.parse(canonical) == keys)
    }

    @Test(
        "says where it cannot",
        arguments: [
            ("", 0), ("a,", 2), ("a b", 2), ("--a", 1), ("a[x]", 1), ("a,,b", 2), ("a.@sum", 2), ("net-worth", 3), ("5", 0),
        ])
    func refuses(text: String, position: Int) throws {
        let error = try #require(throws: PredicateError.self) { try SortKey.parse(text) }
        #expect(error.code == .syntax && error.position == position)
    }
}
