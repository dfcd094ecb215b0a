#if canImport(Glibc)
// Invariants
// * Both descriptors live as long as this object; a waiting thread holds a reference, so none is closed under it.
// * Once `cancelled` is readable it stays so: it is never read.

import CSystem
import Glibc

/// Waits for changes in a directory by inotify.
final class InotifyWatcher: DirectoryWatcher {
    private let events: Int32
    private let cancelled: Int32

    init(directory: String) throws(StorageError) {
        try SystemCall.checkPath(directory, "watch")
        events = try Self.create(directory) { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) }
        do throws(StorageError) {
            cancelled = try Self.create(directory) { csystem_event() }
        } catch {
            _ = close(events)
            throw error
        }
        let kinds = IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF
        let mask = UInt32(kinds) | UInt32(IN_ONLYDIR)
        let outcome = SystemCall.run { [events] in unsafe inotify_add_watch(events, directory, mask) }
        if case .failure(let number) = outcome {
            // deinit closes both: every stored property is set.
            throw Self.failure(number, directory)
        }
    }

    deinit {
        _ = close(events)
        _ = close(cancelled)
    }

    func wait(milliseconds: Int) -> Bool {
        let clock = SystemClock()
        let deadline = clock.monotonic() &+ UInt64(max(0, milliseconds)) &* 1_000_000
        while true {
            let now = clock.monotonic()
            let left = now < deadline ? Int32(clamping: (deadline - now + 999_999) / 1_000_000) : 0
            var polled = [
                pollfd(fd: events, events: Int16(POLLIN), revents: 0),
                pollfd(fd: cancelled, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&polled, nfds_t(polled.count), left)
            if count < 0 && errno == EINTR { continue }
            if polled[1].revents != 0 { return false }
            if polled[0].revents != 0 { return drain() }
            if count < 0 || left == 0 { return false }
        }
    }

    func cancel() {
        var one: UInt64 = 1
        _ = unsafe write(cancelled, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes all events: one answer for many changes.
    ///
    /// Their contents do not matter.
    private func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var any = false
        while unsafe read(events, &buffer, buffer.count) > 0 { any = true }
        return any
    }

    private static func create(_ directory: String, _ call: () -> Int32) throws(StorageError) -> Int32 {
        switch SystemCall.run(call) {
        case .success(let descriptor): return descriptor
        case .failure(let number): throw failure(number, directory)
        }
    }

    /// Here ENOSPC and EMFILE mean a limit of inotify, not a full disk.
    private static func failure(_ number: Int32, _ directory: String) -> StorageError {
        guard number == ENOSPC || number == EMFILE else { return StorageError(errno: number, "watch", path: directory) }
        return StorageError(
            .tooManyOpenFiles, "watch", path: directory, errno: number,
            detail: "the limit of inotify watches is reached; raise fs.inotify.max_user_watches and max_user_instances")
    }
}
#endif
