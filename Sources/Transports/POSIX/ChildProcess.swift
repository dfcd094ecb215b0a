// Invariants
// * Until it was reaped the number is this child's and nobody else's; it is signalled and waited for by one thread, the keeper's, and
//   never again afterwards.

import CSystem
import Storage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A process that this one started.
struct ChildProcess: Sendable {
    /// How a process ended.
    enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
        /// Somebody else in this process waited for it, or ignores the signal of a child's end.
        case unknown
    }

    let number: Int32

    /// Starts `/bin/sh -c command` with the descriptors as its standard ones.
    static func start(
        _ command: String, input: Descriptor, output: Descriptor, errors: Descriptor, address: String
    ) throws(TransportError) -> ChildProcess {
        var number: Int32 = 0
        let failure = unsafe csystem_spawn(command, input.number, output.number, errors.number, &number)
        guard failure == 0 else { throw TransportError(errno: failure, "start /bin/sh for \(address)", address: address) }
        return ChildProcess(number: number)
    }

    /// How it ended, once it has; may be called until then.
    func reap() -> Ending? {
        var status: Int32 = 0
        switch SystemCall.run({ unsafe waitpid(number, &status, WNOHANG) }) {
        case .success(0): return nil
        case .success: return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
        case .failure: return .unknown
        }
    }

    func ask() { _ = kill(number, SIGTERM) }
    func force() { _ = kill(number, SIGKILL) }
}
