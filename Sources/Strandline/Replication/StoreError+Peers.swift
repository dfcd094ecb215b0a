import SyncProtocol
import Transports

extension StoreError {
    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .unreachable, .refused, .timedOut: .peerUnreachable
            case .untrusted, .notPermitted: .untrusted
            case .badAddress: .invalidOption
            case .badPeer: .badPeer
            case .closed: .interrupted
            case .failed: .storage
            }
        self.init(code, error.description)
    }

    /// How a session ended, as an error; nil when it ended as it should.
    init?(_ end: SessionEnd, peer: String) {
        switch end {
        case .complete: return nil
        case .closed: self.init(.closed, "the exchange with \(peer) was ended here")
        case .interrupted:
            self.init(
                .interrupted, "the connection to \(peer) ended before all was exchanged; sync again, it goes on where it was")
        case .refused(let refusal): self.init(Self.code(refusal), "\(peer): \(refusal.reason)")
        case .refusedByPeer(let refusal): self.init(Self.code(refusal), "\(peer) refuses: \(refusal.reason)")
        }
    }

    private static func code(_ refusal: Refusal) -> Code {
        switch refusal.code {
        case .version: .unsupportedVersion
        case .dataset: .wrongDataset
        case .itself, .protocolBroken: .badPeer
        case .cannotStore, .failed: .refusedByPeer
        case .overloaded: .busy
        case .timedOut: .interrupted
        }
    }
}
