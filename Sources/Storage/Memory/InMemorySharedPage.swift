import Synchronization

/// The words behind all pages of one file.
final class SharedWords: Sendable {
    private let words: Mutex<[UInt64]>

    init(of file: SparseBytes) {
        var reader = ByteReader(file.contiguous())
        var words: [UInt64] = []
        while let word = try? reader.u64() { words.append(word) }
        self.words = Mutex(words)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        for word in words.withLock({ $0 }) { writer.u64(word) }
        return writer.bytes
    }

    func grow(to count: Int) {
        words.withLock { words in
            if words.count < count { words.append(contentsOf: repeatElement(0, count: count - words.count)) }
        }
    }

    func withWord<Result: Sendable>(_ word: Int, _ body: (inout UInt64) -> Result) -> Result {
        words.withLock { body(&$0[word]) }
    }
}

/// A page of an ``InMemoryFileSystem``.
final class InMemorySharedPage: SharedPage {
    let words: Int
    private let memory: SharedWords

    init(words: Int, memory: SharedWords) {
        self.words = words
        self.memory = memory
    }

    func load(_ word: Int) -> UInt64 { access(word) { $0 } }

    func store(_ value: UInt64, at word: Int) { access(word) { $0 = value } }

    @discardableResult
    func add(_ value: UInt64, at word: Int) -> UInt64 {
        access(word) {
            $0 &+= value
            return $0
        }
    }

    private func access<Result: Sendable>(_ word: Int, _ body: (inout UInt64) -> Result) -> Result {
        precondition(word >= 0 && word < words, "a word must lie in the page")
        return memory.withWord(word, body)
    }
}
