package import EventLog

/// What a scan found, in the order that was asked for.
package struct ScanFindings: Sendable {
    package let ids: [ObjectID]
    /// As many as there are ids.
    package let positions: [ScanPosition]

    package init(ids: [ObjectID] = [], positions: [ScanPosition] = []) {
        self.ids = ids
        self.positions = positions
    }
}
