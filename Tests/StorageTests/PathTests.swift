import Storage
import Testing

@Suite struct PathTests {
    @Test(arguments: [
        ("a", "."), ("a/", "."), ("/a", "/"), ("/", "/"), ("//", "/"), ("a/b", "a"), ("/a//b/", "/a"), ("/a/b/c", "/a/b"),
    ]) func parents(_ path: String, _ parent: String) {
        #expect(Path.parent(of: path) == parent)
    }

    @Test func joins() {
        #expect(Path.join("a", "b") == "a/b")
        #expect(Path.join("/", "b") == "/b")
    }

    @Test func names() {
        #expect(Path.names(of: "/a//b/./c/../d/") == ["a", "b", "d"])
        #expect(Path.names(of: "../..") == [])
        // Marks that combine with the slash before them.
        for mark in ["\u{301}", "\u{7A9}", "\u{200D}", "\u{FE0F}"] {
            #expect(Path.names(of: "/a/\(mark)b").map { Array($0.utf8) } == ["a", "\(mark)b"].map { Array($0.utf8) })
            #expect(Path.parent(of: "/a/\(mark)b") == "/a")
        }
    }
}
