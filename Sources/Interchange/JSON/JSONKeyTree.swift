// Records of one kind repeat their keys in one order. The tree remembers the paths of keys met so far:
//
// * A node stands for a sequence of keys, all different, from an object's first key to this one. The root (0) is the
//   empty sequence.
// * So an object whose keys follow a path needs no check for duplicates, no new string and no validation of UTF-8.
// * It is bounded: maximumNodes nodes, maximumChildren per node, paths of up to longestPath keys (so that one wide object
//   does not use it up), and only keys of up to longestKey bytes without an escape. What does not fit takes the slow way
//   through JSONKeyPath; nothing else changes.

/// The sequences of object keys that a parser has met.
struct JSONKeyTree {
    static let maximumNodes = 4_096
    static let maximumChildren = 8
    static let longestPath = 1_024
    static let longestKey = 64

    private struct Node {
        var key: String
        /// Where the key's bytes lie in `bytes`.
        var start: Int
        var count: Int
        var parent: Int
        /// How many keys lead to this node, its own included.
        var depth: Int
        var firstChild = 0
        var nextSibling = 0
        var children = 0
    }

    private var nodes = [Node(key: "", start: 0, count: 0, parent: 0, depth: 0)]
    private var bytes: [UInt8] = []

    /// The child of `node` whose key, with a quote after it, lies in `buffer` at `place`; nil if there is none yet.
    func child(of node: Int, in buffer: borrowing Span<UInt8>, at place: Int) -> Int? {
        let nodes = nodes.span
        let bytes = bytes.span
        var child = nodes[node].firstChild
        search: while child != 0 {
            let start = nodes[child].start
            let count = nodes[child].count
            let next = nodes[child].nextSibling
            guard place + count < buffer.count, buffer[place + count] == UInt8(ascii: "\"") else {
                child = next
                continue
            }
            for offset in 0..<count where bytes[start + offset] != buffer[place + offset] {
                child = next
                continue search
            }
            return child
        }
        return nil
    }

    func key(of node: Int) -> String { nodes[node].key }

    func length(of node: Int) -> Int { nodes[node].count }

    /// The keys on the path to `node`, from the last to the first.
    func path(to node: Int) -> [String] {
        var keys: [String] = []
        var node = node
        while node != 0 {
            keys.append(nodes[node].key)
            node = nodes[node].parent
        }
        return keys
    }

    /// The child of `parent` for `key`, added where there is room for it.
    mutating func node(for key: String, under parent: Int) -> Int? {
        // A key cut by the end of the parser's window was not found in its bytes, though it may be known.
        var child = nodes[parent].firstChild
        while child != 0 {
            if nodes[child].key.utf8.elementsEqual(key.utf8) { return child }
            child = nodes[child].nextSibling
        }
        let count = key.utf8.count
        guard nodes.count < Self.maximumNodes, nodes[parent].children < Self.maximumChildren,
            nodes[parent].depth < Self.longestPath, count <= Self.longestKey
        else { return nil }
        let node = nodes.count
        nodes.append(Node(key: key, start: bytes.count, count: count, parent: parent, depth: nodes[parent].depth + 1))
        bytes.append(contentsOf: key.utf8)
        nodes[node].nextSibling = nodes[parent].firstChild
        nodes[parent].firstChild = node
        nodes[parent].children += 1
        return node
    }
}
