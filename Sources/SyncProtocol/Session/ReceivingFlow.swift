// Invariants
// * `granted` - `used` is what the peer may still send; it goes up only by what was stored.

import EventLog

/// What comes from the peer: the tips it tells, what this side wants of them, and what is stored by now.
struct ReceivingFlow {
    private let window: Int
    private var gathering: [Tip] = []
    /// The tips of the round, as long as it may be wanted again.
    private(set) var tips: [Tip] = []
    /// The last round that the peer began, wanted and served.
    private(set) var round: UInt32 = 0
    private(set) var wantedRound: UInt32 = 0
    private(set) var servedRound: UInt32 = 0
    /// Origins of which something was wanted and may still be on its way; and those of them whose round has ended.
    private(set) var wantedOrigins: Set<ReplicaID> = []
    private var servedOrigins: Set<ReplicaID> = []
    /// Bytes under way or waiting to be stored.
    private var outstanding = 0
    private var toGrant = 0
    /// Frames that came, and frames that are durable.
    private(set) var frames: UInt64 = 0
    private(set) var storedFrames: UInt64 = 0

    /// What the peer was told last.
    private var told: (round: UInt32, frames: UInt64) = (0, 0)

    init(window: Int) { self.window = window }

    /// Everything that this side wanted has come, and is durable.
    var isSettled: Bool { round > 0 && wantedRound == round && servedRound == round && storedFrames == frames }

    /// Takes tips; the whole round when it is complete.
    mutating func take(_ tips: [Tip], round: UInt32, isLast: Bool) throws(Refusal) -> [Tip]? {
        guard round == self.round + 1, wantedRound == self.round else {
            throw Refusal(.protocolBroken, "the peer began round \(round) of tips where \(self.round + 1) was due")
        }
        guard gathering.count + tips.count <= WireFormat.maximumTips else {
            throw Refusal(.overloaded, "the peer has more than \(WireFormat.maximumTips) lines of transactions")
        }
        gathering += tips
        guard isLast else { return nil }
        self.round = round
        self.tips = gathering
        gathering = []
        return self.tips
    }

    /// Checks that the peer may offer baselines for a round: it was told what is wanted of it, and has not served it.
    func expectOffer(_ round: UInt32) throws(Refusal) {
        guard round == self.round, round == wantedRound, servedRound < round else {
            throw Refusal(.protocolBroken, "the peer offered baselines for round \(round), which was not asked for")
        }
    }

    /// The round is to be wanted again, once the baselines are here.
    mutating func mustWait() { wantedRound = round - 1 }

    mutating func wanted(_ round: UInt32, _ wants: [Want]) {
        wantedRound = round
        for want in wants { wantedOrigins.insert(want.tip.origin) }
    }

    mutating func served(_ round: UInt32) throws(Refusal) {
        guard round == servedRound + 1, round <= wantedRound else {
            throw Refusal(.protocolBroken, "the peer ended round \(round), which was not asked for")
        }
        servedRound = round
        tips = []
        if servedRound == wantedRound { servedOrigins = wantedOrigins }
    }

    /// What the peer is to be told now that everything it told of is here; nil when it knows.
    mutating func nextImported() -> (round: UInt32, frames: UInt64)? {
        guard (round, frames) != told else { return nil }
        told = (round, frames)
        return told
    }

    /// Notes a bulk message.
    mutating func use(_ bytes: Int) throws(Refusal) {
        outstanding += bytes
        // The last message may go beyond what is left.
        guard outstanding <= window + WireFormat.maximumPayload + WireFormat.headerSize else {
            throw Refusal(.protocolBroken, "the peer sent more than it was allowed to")
        }
    }

    mutating func takeFrame() { frames += 1 }

    mutating func stored(frames count: Int) {
        storedFrames += UInt64(count)
        guard storedFrames == frames else { return }
        wantedOrigins.subtract(servedOrigins)
        servedOrigins = []
    }

    /// Gives credit back; the amount that is to be granted now, or 0 when it is too little to be worth a message.
    mutating func release(_ bytes: Int) -> Int {
        toGrant += bytes
        guard toGrant >= window / 8 || toGrant == outstanding else { return 0 }
        defer { toGrant = 0 }
        outstanding -= toGrant
        return toGrant
    }
}
