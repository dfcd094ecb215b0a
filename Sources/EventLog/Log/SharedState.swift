// Invariants
// * Words only grow, except under the writers' lock when the page is made anew for a boot.
// * What the page says is used only when `isValid`; the log itself decides everything that matters.

import Storage

/// What the processes that have a store open tell each other: SPEC.md, section 6.
struct SharedState: Sendable {
    private enum Word: Int {
        case magic, bootHigh, bootLow, durableLSN, ordinal, end, replicaHigh, replicaLow, spent, abandoned, commits, clean
    }

    static let words = 512
    private static let magic: UInt64 = 0x3145_5241_4853_5453  // "STSHARE1"

    let page: any SharedPage
    let boot: Digest128

    init(page: any SharedPage, boot: Digest128) {
        self.page = page
        self.boot = boot
    }

    /// Whether it was made in this boot of this machine.
    var isValid: Bool {
        self[.magic] == Self.magic && self[.bootHigh] == boot.high && self[.bootLow] == boot.low
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

    /// What was published last; nil when the page is not of this boot, or stays half changed because a writer died over it.
    var published: Published? {
        Self.stable { isValid ? (0..<Self.publishedWords).map { page.load($0) } : nil }
    }

    /// What the page's file says, without mapping it; nil when there is no page of this boot.
    static func published(in layout: StoreLayout, _ fileSystem: any FileSystem, boot: Digest128) -> Published? {
        stable {
            guard let bytes = try? fileSystem.readWhole(layout.shared, limit: words * 8) else { return nil }
            var reader = ByteReader(bytes)
            var found: [UInt64] = []
            while found.count < publishedWords, let word = try? reader.u64() { found.append(word) }
            return found.count == publishedWords && found[0] == magic && found[1] == boot.high && found[2] == boot.low
                ? found : nil
        }
    }

    private static let publishedWords = Word.commits.rawValue + 1

    /// Reads until nothing changes under the reading.
    private static func stable(_ read: () -> [UInt64]?) -> Published? {
        for _ in 0..<1000 {
            guard let first = read(), let again = read() else { return nil }
            let commits = first[Word.commits.rawValue]
            guard first == again, commits % 2 == 0 else { continue }
            return Published(
                commits: commits / 2, durableLSN: first[Word.durableLSN.rawValue], ordinal: first[Word.ordinal.rawValue],
                end: first[Word.end.rawValue])
        }
        return nil
    }

    /// Makes the page anew.
    ///
    /// The caller holds the writers' lock.
    func reset(position: LogPosition, replica: ReplicaID, spent: UInt64, isClean: Bool) {
        self[.magic] = 0
        self[.bootHigh] = boot.high
        self[.bootLow] = boot.low
        self[.abandoned] = 0
        self[.clean] = isClean ? 1 : 0
        adopt(replica, spent: spent)
        publish(position)
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
