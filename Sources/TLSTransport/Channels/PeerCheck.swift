// Invariants
// * `answer` is what the certificate of this connection's peer came to; it is set once, in the handshake, under its lock.

import Synchronization
import Transports

/// Whether the device at the other end of one connection may be talked to.
package final class PeerCheck: Sendable {
    private struct Answer {
        var id: DeviceID?
        var refusal: TransportError?
    }

    private let address: String
    private let trusted: TrustList
    private let expected: DeviceID?
    private let answer = Mutex(Answer())

    package init(address: String, trusting trusted: TrustList, expecting expected: DeviceID? = nil) {
        self.address = address
        self.trusted = trusted
        self.expected = expected
    }

    /// The device whose certificate was accepted.
    var id: DeviceID? { answer.withLock { $0.id } }
    /// Why the peer's certificate was not.
    var refusal: TransportError? { answer.withLock { $0.refusal } }

    /// Decides about a certificate; nil for one that is none.
    func accept(_ id: DeviceID?) -> Bool {
        let refusal: TransportError?
        if let id {
            refusal = examine(id)
        } else {
            refusal = TransportError(
                .badPeer, address: address,
                "the certificate of \(address) is not signed by its own key; is that Strandline at the other end?")
        }
        answer.withLock { $0 = Answer(id: refusal == nil ? id : nil, refusal: refusal) }
        return refusal == nil
    }

    /// Decides once more, about the same device: trust may be withdrawn.
    func examine(_ id: DeviceID) -> TransportError? {
        if let expected, expected != id {
            return TransportError(
                .untrusted, address: address,
                "device \(id) answers at \(address), and not \(expected), which was asked for; correct the address, "
                    + "or the id in it")
        }
        do throws(DeviceError) {
            if try trusted.contains(id) { return nil }
        } catch {
            return TransportError(
                .failed, address: address, "cannot tell whether the device at \(address) is trusted: \(error)", cause: error)
        }
        return TransportError(
            .untrusted, address: address,
            "device \(id) at \(address) is not trusted here; if it is yours, compare the id with what `strandline device` "
                + "prints there, and run `strandline trust STORE \(id)`")
    }
}
