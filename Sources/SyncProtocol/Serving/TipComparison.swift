package import EventLog
import Storage

/// What a log lacks of what a peer has.
package enum TipComparison {
    /// The lines of transactions that end in `tips` and are not all here, each with what the log has of its origin.
    ///
    /// Reads the log where a tip is not the end of a line here: a chain that differs there tells of a fork.
    package static func wants(of tips: [Tip], from log: EventLog) throws(LogError) -> [Want] {
        let table = log.durableState.branches
        var wants: [Want] = []
        for tip in tips {
            if try log.branch(of: tip.origin, holding: tip.position, in: table) != nil { continue }
            let locators = try log.landmarks(of: tip.origin, limit: WireFormat.maximumLocators)
            wants.append(Want(tip: tip, locators: locators))
        }
        return wants
    }
}
