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
    }
}
