// Invariants
// * Words only grow, except under the writers' lock when the page is made anew for a boot.
// * What the page says is used only when `isValid`; the log itself decides everything that matters.
// * While `commits` is even, `checksum` is that of the words it covers; a page whose is not counts as none.

import Storage

/// What the processes that have a store open tell each other: SPEC.md, section 6.
struct SharedState: Sendable {
    private enum Word: Int {
        case magic, bootHigh, bootLow, durableLSN, ordinal, end, replicaHigh, replicaLow, spent, abandoned, commits, clean
        case checksum
    }

    static let words = 512
    private static let magic: UInt64 = 0x3145_5241_4853_5453  // "STSHARE1"

    let page: any SharedPage
    let boot: Digest128

    init(page: any SharedPage, boot: Digest128) {
        self.page = page
        self.boot = boot
    }

    /// Whether it was made in this boot of this machine, and is not damaged.
    ///
    /// The caller holds the writers' lock, so that nothing changes meanwhile.
    var isValid: Bool {
        let words = snapshot
        return Self.isOf(boot, words) && (Self.isHalfChanged(words) || Self.isWhole(words))
    }

    /// Whether it was made in this boot of this machine, so that others may be at work, damaged or not.
    var isOfThisBoot: Bool { Self.isOf(boot, snapshot) }

    private var snapshot: [UInt64] { (0..<Self.publishedWords).map { page.load($0) } }

    private static func isOf(_ boot: Digest128, _ words: [UInt64]) -> Bool {
        words[Word.magic.rawValue] == magic && words[Word.bootHigh.rawValue] == boot.high
            && words[Word.bootLow.rawValue] == boot.low
    }

    /// Somebody is changing it, or died over it.
    private static func isHalfChanged(_ words: [UInt64]) -> Bool { words[Word.commits.rawValue] % 2 == 1 }

    private static func isWhole(_ words: [UInt64]) -> Bool {
        words[Word.checksum.rawValue] == checksum(words[...Word.end.rawValue], commits: words[Word.commits.rawValue])
    }

    private static func checksum(_ words: ArraySlice<UInt64>, commits: UInt64) -> UInt64 {
        var writer = ByteWriter(capacity: 64)
        for word in words { writer.u64(word) }
        writer.u64(commits)
        return Checksum.xxh3(writer.bytes.span)
    }

    /// How far the log is durable, as a writer published it.
    struct Published: Sendable, Equatable {
        /// How many groups were committed.
        var commits: UInt64
        var durableLSN: UInt64
        var ordinal: UInt64
        var end: UInt64

        func isAhead(of position: LogPosition) -> Bool { (ordinal, end) > (position.ordinal, position.offset) }
    }

    /// What was published last; nil when the page is not of this boot or damaged, or stays half changed because a writer died over it.
    var published: Published? { Self.stable(boot) { snapshot } }

    /// What the page's file says, without mapping it; nil when there is no page of this boot.
    static func published(in layout: StoreLayout, _ fileSystem: any FileSystem, boot: Digest128) -> Published? {
        stable(boot) {
            guard let bytes = try? fileSystem.readWhole(layout.shared, limit: words * 8) else { return nil }
            var reader = ByteReader(bytes)
            var found: [UInt64] = []
            while found.count < publishedWords, let word = try? reader.u64() { found.append(word) }
            return found.count == publishedWords ? found : nil
        }
    }

    private static let publishedWords = Word.checksum.rawValue + 1

    /// Reads until nothing changes under the reading.
    private static func stable(_ boot: Digest128, _ read: () -> [UInt64]?) -> Published? {
        for _ in 0..<1000 {
            guard let first = read(), let again = read(), isOf(boot, first) else { return nil }
            guard first == again, !isHalfChanged(first) else { continue }
            guard isWhole(first) else { return nil }
            let commits = first[Word.commits.rawValue]
            return Published(
                commits: commits / 2, durableLSN: first[Word.durableLSN.rawValue], ordinal: first[Word.ordinal.rawValue],
                end: first[Word.end.rawValue])
        }
        return nil
    }

    /// Makes the page anew.
    ///
    /// The caller holds the writers' lock.
    func reset(to tail: LogTail, replica: ReplicaID) {
        let branches = tail.state.branches
        let written = branches.branches(of: replica).map { branches.branches[$0].last.sequence }.max()
        let isClosed = tail.segment.watermark.map { $0.isClean && $0.end == tail.position.offset } ?? false
        self[.magic] = 0
        self[.bootHigh] = boot.high
        self[.bootLow] = boot.low
        self[.abandoned] = 0
        self[.clean] = isClosed ? 1 : 0
        adopt(replica, spent: written ?? 0)
        publish(tail.position)
        self[.magic] = Self.magic
    }

    /// The last LSN that is durable.
    var durableLSN: UInt64 { self[.durableLSN] }
    /// The log was closed with nothing in the air, and no sequence was spent since.
    var isClean: Bool { self[.clean] == 1 }
    func setClean(_ isClean: Bool) { self[.clean] = isClean ? 1 : 0 }

    /// Tells the others that the log is durable up to `position`.
    func publish(_ position: LogPosition) {
        // Odd while the words change; a writer that died in between left it so.
        if self[.commits] % 2 == 0 { page.add(1, at: Word.commits.rawValue) }
        self[.ordinal] = position.ordinal
        self[.end] = position.offset
        self[.durableLSN] = position.lastLSN
        self[.checksum] = Self.checksum(
            [Self.magic, boot.high, boot.low, position.lastLSN, position.ordinal, position.offset],
            commits: self[.commits] &+ 1)
        page.add(1, at: Word.commits.rawValue)
    }

    /// The highest sequence that a write of `replica` has taken.
    func spent(by replica: ReplicaID) -> UInt64 {
        self[.replicaHigh] == replica.bits.high && self[.replicaLow] == replica.bits.low ? self[.spent] : 0
    }

    func spend(_ sequence: UInt64) { self[.spent] = sequence }

    /// The replica id that writers use now.
    ///
    /// The caller holds the writers' lock.
    func adopt(_ replica: ReplicaID, spent: UInt64) {
        self[.replicaHigh] = replica.bits.high
        self[.replicaLow] = replica.bits.low
        self[.spent] = spent
    }

    var replica: ReplicaID { ReplicaID(Digest128(high: self[.replicaHigh], low: self[.replicaLow])) }

    /// The highest ordinal of a segment given up after a failed write or sync.
    var abandoned: UInt64 { self[.abandoned] }
    func abandon(_ ordinal: UInt64) { self[.abandoned] = ordinal }

    private subscript(word: Word) -> UInt64 {
        get { page.load(word.rawValue) }
        nonmutating set { page.store(newValue, at: word.rawValue) }
    }
}
