// Invariants
// * There is one byte in the pipe, or about to be, while `isDue` is set. It is read before `isDue` is cleared: a wake in between
//   writes none, and none is needed, for that wait is about to return. The other order would lose the byte of a wake and
//   leave `isDue` set for ever.
// * One thread at a time is in `wait`; any number may wake it.

import Storage
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Waits for many descriptors at once, by `poll`, and for a call of ``wake()``.
package final class Poller: Sendable {
    private let reading: Descriptor
    private let writing: Descriptor
    private let isDue = Atomic<Bool>(false)
    private let clock = SystemClock()

    package init() throws(TransportError) {
        (reading, writing) = try Descriptor.pipe(for: "the poller")
    }

    /// Returns the indexes of the interests that are ready, in ascending order, as soon as there are any, or the thread is
    /// woken, or the time is over.
    ///
    /// A descriptor whose other end is gone, or that is no descriptor any more, is ready: reading tells. Without `nanoseconds` it
    /// waits for ever. An interest in neither reading nor writing is never ready.
    package func wait(_ interests: [PollInterest], nanoseconds: UInt64?) throws(TransportError) -> [Int] {
        var polled = [pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)]
        polled.reserveCapacity(interests.count + 1)
        for interest in interests {
            let events = (interest.read ? POLLIN : 0) | (interest.write ? POLLOUT : 0)
            // A negative number is skipped; else a peer that is gone would be told again and again.
            polled.append(
                pollfd(fd: events == 0 ? -1 : interest.descriptor, events: Int16(truncatingIfNeeded: events), revents: 0))
        }
        let deadline = nanoseconds.map { clock.monotonic() &+ min($0, UInt64(Int64.max)) }
        while true {
            let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds(until: deadline))
            if count < 0 {
                let number = errno
                if number == EINTR { continue }
                throw TransportError(
                    errno: number, "wait for \(interests.count) descriptors at once", address: "the poller")
            }
            if polled[0].revents != 0 { takeWake() }
            if count > 0 || deadline.map({ clock.monotonic() >= $0 }) == true { break }
        }
        return interests.indices.filter { polled[$0 + 1].revents != 0 }
    }

    /// Ends the wait of another thread, or its next one.
    package func wake() {
        guard !isDue.exchange(true, ordering: .sequentiallyConsistent) else { return }
        let one: [UInt8] = [1]
        _ = writing.write(one.span)
    }

    private func takeWake() {
        var scratch: [UInt8] = [0]
        var space = scratch.mutableSpan
        _ = reading.read(into: &space)
        isDue.store(false, ordering: .sequentiallyConsistent)
    }

    /// Rounded up, so that nobody turns in circles through the last one; -1 for ever.
    private func milliseconds(until deadline: UInt64?) -> Int32 {
        guard let deadline else { return -1 }
        let now = clock.monotonic()
        return now < deadline ? Int32(clamping: (deadline - now + 999_999) / 1_000_000) : 0
    }
}
