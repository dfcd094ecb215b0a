// Invariants
// * A thread in `idle` waits for its own signal. Whoever takes it out gives it a job; a thread that takes itself out ends.

import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Threads of the process for work that blocks: on the disk, on another process, on a condition.
///
/// There are as many as there is work, for a thread that waits for another one's work must never be what keeps it from
/// running; pools of a fixed width (Dispatch's 255 threads, a task's one per core) come to a stop that way. A thread that has
/// finished is used again, and ends after some seconds of rest.
package enum WorkerThreads {
    /// A thread that has finished its job, and what it is to do next.
    private final class Idle: Sendable {
        let job = Mutex<(@Sendable () -> Void)?>(nil)
        let signal = WakeSignal()

        func takeJob() -> (@Sendable () -> Void)? {
            job.withLock { job in
                defer { job = nil }
                return job
            }
        }
    }

    /// The last one that finished is used first, for its stack is still in the caches.
    private static let idle = Mutex<[Idle]>([])
    private static let restMilliseconds = 5_000
    /// A closure of a caller's runs on it: deep recursion is the caller's right, endless recursion is not.
    private static let stackBytes = 4 << 20

    /// How many threads run at the same time at most.
    static let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// Runs `body` on a thread of its own, at once.
    ///
    /// - Throws: ``StorageError/Code/other`` when the system starts no more threads; `body` is not run then.
    package static func run(_ body: @escaping @Sendable () -> Void) throws(StorageError) {
        if let thread = idle.withLock({ $0.popLast() }) {
            thread.job.withLock { $0 = body }
            return thread.signal.advance()
        }
        let thread = Idle()
        thread.job.withLock { $0 = body }
        try startThread {
            // Through its place, as those that follow: what a job captured goes when it is done, and not with its thread.
            if let first = thread.takeJob() { first() }
            while let next = nextJob(thread) { next() }
        }
    }

    /// The next job for a thread that has finished one; nil when it should end.
    private static func nextJob(_ thread: Idle) -> (@Sendable () -> Void)? {
        let ticket = thread.signal.generation
        idle.withLock { $0.append(thread) }
        if !thread.signal.wait(past: ticket, milliseconds: restMilliseconds) {
            let isLeft = idle.withLock { idle -> Bool in
                guard let index = idle.firstIndex(where: { $0 === thread }) else { return false }
                idle.remove(at: index)
                return true
            }
            if isLeft { return nil }
            thread.signal.wait(past: ticket)
        }
        return thread.takeJob()
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) throws(StorageError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let box = unsafe Unmanaged.passRetained(ThreadBody(run: body))
        let code = unsafe pthread_create(&thread, &attributes, threadMain, box.toOpaque())
        if code != 0 {
            unsafe box.release()
            throw StorageError(
                .other, "start a thread", errno: code,
                detail: "the system gives this process no more; close stores, or raise its limit (ulimit -u)")
        }
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Glibc)
private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context { unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
#else
private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
#endif

/// Which thread one is on; equal to the present one's as long as that thread runs.
package struct ThreadIdentity: Equatable, Sendable {
    private let bits: UInt

    package static var current: ThreadIdentity {
        #if canImport(Glibc)
        ThreadIdentity(bits: UInt(pthread_self()))
        #else
        ThreadIdentity(bits: unsafe UInt(bitPattern: pthread_self()))
        #endif
    }
}
