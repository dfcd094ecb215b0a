// Invariants
// * At most one round of tips is unanswered; what changes meanwhile goes into the next.
// * `credit` is what the peer granted less what was sent: a message is begun only while it is positive.

import EventLog

/// What goes to the peer: which tips it was told, what it wants, and how much it has acknowledged.
struct SendingFlow {
    /// The last round of tips; 0 before the first.
    private(set) var round: UInt32 = 0
    private(set) var isAnswered = true
    private(set) var servedRound: UInt32 = 0
    /// The tips the peer was told, or told us.
    private var known: Set<Tip> = []
    /// Whether own commits are sent without being asked for.
    private(set) var isFollowed = false
    /// Where own transactions ended in the first round.
    private(set) var ownTip: BranchPosition?
    var credit = 0
    /// There may be something to read.
    var hasMore = false
    var isReading = false
    private(set) var frames: UInt64 = 0
    private(set) var acknowledgedFrames: UInt64 = 0

    private var importedRound: UInt32 = 0
    private var importedFrames: UInt64 = 0

    /// Everything the peer wanted has been sent, and is durable there with the blobs it wants.
    var isSettled: Bool {
        isAnswered && servedRound == round && !hasMore && !isReading && importedRound == round && importedFrames == frames
    }

    /// The tips that the peer is to be told now, as a new round; nil when there is nothing new.
    ///
    /// - Parameters:
    ///   - own: the id whose transactions are sent without asking, if they are.
    ///   - arriving: origins of which the peer is sending something, so that their ends here may be what it sent.
    mutating func nextRound(of tips: [Tip], own: ReplicaID, arriving: Set<ReplicaID>) -> [Tip]? {
        guard isAnswered else { return nil }
        let news = tips.filter {
            !known.contains($0) && !(isFollowed && $0.origin == own) && (round == 0 || !arriving.contains($0.origin))
        }
        guard round == 0 || !news.isEmpty else { return nil }
        round += 1
        if round == 1 { ownTip = tips.first { $0.origin == own }?.position }
        isAnswered = false
        for tip in news { note(tip) }
        return news
    }

    /// Whether the peer has heard of all of these.
    func isTold(_ tips: [Tip], own: ReplicaID) -> Bool {
        tips.allSatisfy { known.contains($0) || (isFollowed && $0.origin == own) }
    }

    /// The peer has, or was told of, a tip; the ones before it in the line are of no use any more.
    mutating func note(_ tip: Tip) {
        // Rarely more than one: an origin has several lines only when its id was used twice.
        if known.count > 4 * WireFormat.tipsPerMessage { known.removeAll(keepingCapacity: true) }
        known.insert(tip)
    }

    func expectAnswer(_ round: UInt32) throws(Refusal) {
        guard round == self.round, !isAnswered else {
            throw Refusal(.protocolBroken, "the peer answered round \(round) of tips, which it was not asked")
        }
    }

    /// What the peer wants of a round is going to be sent.
    mutating func answered(_ round: UInt32) {
        isAnswered = true
        if round == 1 { isFollowed = true }
        hasMore = true
    }

    mutating func sent(frames count: Int, served rounds: [UInt32]) {
        frames += UInt64(count)
        if let last = rounds.max() { servedRound = max(servedRound, last) }
    }

    mutating func imported(round: UInt32, frames: UInt64) { (importedRound, importedFrames) = (round, frames) }

    mutating func acknowledged(frames count: UInt64) throws(Refusal) {
        guard count >= acknowledgedFrames, count <= frames else {
            throw Refusal(.protocolBroken, "the peer acknowledged \(count) frames where \(frames) were sent")
        }
        acknowledgedFrames = count
    }
}
