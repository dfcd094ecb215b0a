/// A transaction with its changes in columns, as the log has them.
package struct GroupedTransaction: Sendable {
    package let header: TransactionHeader
    package let groups: [ChangeGroup]

    package init(header: TransactionHeader, groups: [ChangeGroup]) {
        self.header = header
        self.groups = groups
    }

    /// How many changes it has.
    package var count: Int { groups.reduce(0) { $0 + $1.count } }
}
