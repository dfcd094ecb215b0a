import Projection

/// The keys that one object has had so far, while it is being read.
struct JSONKeyPath {
    /// Up to this many keys are compared one by one, more through a set.
    private static let fewKeys = 16

    /// The node of the tree that stands for these keys; nil once they have left the tree.
    private(set) var node: Int? = 0
    /// Whether a member has been read, so that the next one needs a comma before it.
    var isEmpty = true
    private var keys: [String] = []
    private var set: Set<WireName> = []

    /// Follows the tree to a child of `node`.
    mutating func follow(_ child: Int) { node = child }

    /// Takes note of a key that was not followed.
    ///
    /// False if the object has it already.
    ///
    /// Keys are compared as the names of properties are, by their UTF-8 bytes.
    mutating func insert(_ key: String, isPlain: Bool, into tree: inout JSONKeyTree) -> Bool {
        if let node {
            let known = tree.path(to: node)
            if known.contains(where: { WireName($0) == WireName(key) }) { return false }
            self.node = isPlain ? tree.node(for: key, under: node) : nil
            if self.node == nil {
                keys = known
                keys.append(key)
            }
            return true
        }
        if set.isEmpty, keys.count <= Self.fewKeys {
            if keys.contains(where: { WireName($0) == WireName(key) }) { return false }
            keys.append(key)
            return true
        }
        if set.isEmpty {
            set = Set(keys.map { WireName($0) })
            keys = []
        }
        return set.insert(WireName(key)).inserted
    }
}
