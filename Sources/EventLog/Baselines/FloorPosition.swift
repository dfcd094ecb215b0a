import Storage

/// Up to where a baseline stands for a branch.
package struct FloorPosition: Sendable, Hashable {
    package let root: BranchRoot
    package let position: BranchPosition
    /// Of the transaction there.
    package let timestamp: Timestamp

    package init(root: BranchRoot, position: BranchPosition, timestamp: Timestamp) {
        self.root = root
        self.position = position
        self.timestamp = timestamp
    }
}

extension ByteWriter {
    mutating func append(_ floor: [FloorPosition]) {
        count(floor.count)
        for place in floor {
            place.root.append(to: &self)
            append(place.position)
            u64(place.timestamp.rawValue)
        }
    }
}

extension ByteReader {
    mutating func floorPositions() throws(StorageError) -> [FloorPosition] {
        var floor: [FloorPosition] = []
        for _ in 0..<(try count(max: TransactionFormat.maximumContext, minimumSize: 58)) {
            floor.append(
                FloorPosition(
                    root: try BranchRoot(from: &self), position: try position(), timestamp: Timestamp(rawValue: try u64())))
        }
        return floor
    }
}
