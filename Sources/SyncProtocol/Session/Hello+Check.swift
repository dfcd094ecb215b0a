extension Hello {
    /// Whether this peer can be talked to.
    ///
    /// - Throws: why not, in words for people.
    func check(against own: SessionConfiguration) throws(Refusal) {
        guard versions.overlaps(WireFormat.versions) else {
            throw Refusal(
                .version,
                "one side speaks versions \(versions.lowerBound) to \(versions.upperBound) of the protocol, the other "
                    + "\(WireFormat.versions.lowerBound) to \(WireFormat.versions.upperBound); update the older program")
        }
        guard Features.all.isSuperset(of: required) else {
            throw Refusal(.version, "the peer needs what this version cannot do; update this program")
        }
        guard dataset == own.dataset else {
            throw Refusal(
                .dataset, "one store belongs to dataset \(own.dataset), the other to \(dataset); they never merge")
        }
        guard nonce != own.nonce else { throw Refusal(.itself, "the connection leads back to where it came from") }
        guard credit > 0 else { throw Refusal(.protocolBroken, "the peer lets nothing be sent") }
    }
}

extension Array {
    /// The elements as they fit into messages, at least one, and whether each is the last.
    private func split(_ size: Int) -> [([Element], isLast: Bool)] {
        guard count > size else { return [(self, true)] }
        return stride(from: 0, to: count, by: size).map { start in
            (Array(self[start..<Swift.min(start + size, count)]), start + size >= count)
        }
    }
}

extension [Tip] {
    var messages: [([Tip], isLast: Bool)] { split(WireFormat.tipsPerMessage) }
}

extension [Want] {
    /// With their locators, so that each message stays far below the limit.
    var messages: [([Want], isLast: Bool)] {
        split(Swift.max(1, WireFormat.maximumPayload / (24 * WireFormat.maximumLocators + 64) / 2))
    }
}
