#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The clocks of the operating system.
public struct SystemClock: WallClock {
    public init() {}

    public func now() -> UInt64 {
        let time = read(CLOCK_REALTIME)
        return UInt64(clamping: time.tv_sec) * 1_000 + UInt64(clamping: time.tv_nsec) / 1_000_000
    }

    public func monotonic() -> UInt64 {
        let time = read(CLOCK_MONOTONIC)
        return UInt64(clamping: time.tv_sec) * 1_000_000_000 + UInt64(clamping: time.tv_nsec)
    }

    private func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time
    }
}
