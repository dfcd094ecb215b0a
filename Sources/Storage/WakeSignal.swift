// Invariants
// * `count` only grows.
// * No wake-up is lost: a thread takes `generation`, looks at the state it waits for, and then waits past that generation.
// * Who is about to sleep is counted in `sleeping`, under `mutex`, before it looks at `count` again; who advances raises `count` before
//   it looks at `sleeping`. So one of them sees the other.

import CSystem
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Blocks threads until something they look at has changed: a generation number and a condition variable.
///
/// `@unchecked Sendable`: the counts are atomic; the pointers are constant.
@safe package final class WakeSignal: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let count = Atomic<UInt64>(0)
    private let sleeping = Atomic<Int>(0)

    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        #if canImport(Glibc)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        #else
        unsafe pthread_cond_init(condition, nil)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// How often ``advance()`` was called.
    package var generation: UInt64 { count.load(ordering: .sequentiallyConsistent) }

    /// Wakes every waiting thread.
    package func advance() {
        count.add(1, ordering: .sequentiallyConsistent)
        guard sleeping.load(ordering: .sequentiallyConsistent) > 0 else { return }
        // Whoever is counted sleeps by now, or sees the new generation. Woken after the lock is free, so that nobody wakes to wait for it.
        unsafe pthread_mutex_lock(mutex)
        unsafe pthread_mutex_unlock(mutex)
        unsafe pthread_cond_broadcast(condition)
    }

    /// Waits until the generation is past `ticket`, without giving the core away; returns whether it is.
    ///
    /// For an event that is likely to come sooner than a sleeping thread would be awake.
    package func spin(past ticket: UInt64, nanoseconds: UInt64) -> Bool {
        let clock = SystemClock()
        let deadline = clock.monotonic() &+ nanoseconds
        repeat {
            for _ in 0..<16 {
                if generation > ticket { return true }
                csystem_pause()
            }
        } while clock.monotonic() < deadline
        return generation > ticket
    }

    /// Waits until the generation is past `ticket`; returns whether it is.
    ///
    /// Without `milliseconds` it waits for ever.
    @discardableResult
    package func wait(past ticket: UInt64, milliseconds: Int? = nil) -> Bool {
        if generation > ticket { return true }
        unsafe pthread_mutex_lock(mutex)
        sleeping.add(1, ordering: .sequentiallyConsistent)
        defer {
            sleeping.subtract(1, ordering: .sequentiallyConsistent)
            unsafe pthread_mutex_unlock(mutex)
        }
        guard let milliseconds else {
            while generation <= ticket { unsafe pthread_cond_wait(condition, mutex) }
            return true
        }
        let clock = SystemClock()
        let deadline = clock.monotonic() &+ UInt64(max(0, milliseconds)) &* 1_000_000
        while generation <= ticket {
            let now = clock.monotonic()
            if now >= deadline { return false }
            #if canImport(Glibc)
            var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
            unsafe pthread_cond_timedwait(condition, mutex, &time)
            #else
            let left = deadline - now
            var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
            #endif
        }
        return true
    }
}
