import Storage

extension Baseline.FloorEntry {
    func position(on root: BranchRoot) -> FloorPosition {
        FloorPosition(root: root, position: BranchPosition(sequence: sequence, chain: chain), timestamp: timestamp)
    }

    /// The chain of a transaction up to the floor, as far as it is known.
    func chain(at sequence: UInt64) -> Digest128? {
        if sequence == self.sequence { return chain }
        guard sequence < self.sequence, self.sequence - sequence < UInt64(chains.count) else { return nil }
        return chains[chains.count - 1 - Int(self.sequence - sequence)]
    }
}
