import EventLog
import Storage

/// An exchange file as the listing of a folder shows it.
struct ExchangeEntry: Hashable {
    /// In whose subfolder it lies.
    var replica: ReplicaID
    var name: String
    var path: String
    /// What it holds: by its name, or by its header where the name is not a regular one.
    var stretch: Stretch
    /// Blobs were not published with it.
    var isLacking: Bool
}
