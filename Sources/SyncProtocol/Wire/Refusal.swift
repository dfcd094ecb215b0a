import EventLog

/// Why a side ends a session.
package struct Refusal: Error, Hashable, Sendable {
    package enum Code: UInt8, Sendable {
        /// The versions or features of the two have nothing in common.
        case version = 1
        case dataset = 2
        /// The peer is the store itself, or a copy that is open under the same id.
        case itself = 3
        /// The peer broke a rule of the protocol.
        case protocolBroken = 4
        /// The store cannot take anything at the moment: its disk is full, or it is read only.
        case cannotStore = 5
        /// Too many peers, or too much memory in use.
        case overloaded = 6
        case timedOut = 7
        /// The store failed.
        case failed = 8
    }

    package var code: Code
    /// A whole sentence for people.
    package var reason: String
    /// The versions that would have been accepted.
    package var versions = WireFormat.versions

    /// Why the peer is told that what it sent was not stored.
    package init(storing error: any Error) {
        switch error as? LogError {
        case let error? where [.invalidTransaction, .gap].contains(error.code):
            self.init(.protocolBroken, "what was sent is against the rules: \(error.description)")
        case let error? where [.storage, .readOnly].contains(error.code):
            self.init(.cannotStore, "the other store cannot take anything at the moment; see its own messages")
        default: self.init(.failed, "the other store failed; see its own messages")
        }
    }

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
