import Projection
import Testing

@Suite("PropertyPath")
struct PropertyPathTests {
    @Test("a text is a path as the command line takes it, or a name as it is")
    func texts() {
        #expect(PropertyPath("views") == PropertyPath(["views"]))
        #expect(PropertyPath("author.name") == PropertyPath(["author", "name"]))
        #expect(PropertyPath("author.books.@count") == PropertyPath(["author", "books"], countsObjects: true))
        #expect(PropertyPath("`a.b`.c") == PropertyPath(["a.b", "c"]))
        for name in ["avg:author.name", "no path", "a.", ".a", "", "`a", "a.@sum"] {
            #expect(PropertyPath(name) == PropertyPath([name]), "\(name)")
        }
    }
}
