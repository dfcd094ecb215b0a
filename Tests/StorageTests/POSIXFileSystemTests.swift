#if canImport(Glibc)
import Glibc
import Storage
import Synchronization
import Testing

/// What only the real system does: refuse, interrupt, and stop half-way.
///
/// Serialised, since limits hold for the whole process.
@Suite(.serialized) struct POSIXFileSystemTests {
    let files = POSIXFileSystem()

    @Test func aFullDeviceIsDiskFull() throws {
        let file = try files.open("/dev/full", .readWrite)
        let error = #expect(throws: StorageError.self) { try file.write(patternBytes(100).span, at: 0) }
        #expect(error?.code == .diskFull)
        #expect(error?.errno == ENOSPC)
        #expect(error?.offset == 0)
        #expect(error?.isRetryable == false)
        #expect(error?.description.hasPrefix("cannot write 100 bytes to /dev/full at offset 0: the disk is full") == true)
    }

    @Test func aSizeLimitStopsAWriteHalfWay() throws {
        // The limit holds for the whole process: far above what other tests write at the same time.
        let limit: UInt64 = 1 << 30
        var before = rlimit()
        try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) == 0)
        let handler = signal(SIGXFSZ, SIG_IGN)
        var lowered = rlimit(rlim_cur: rlim_t(limit), rlim_max: before.rlim_max)
        try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &lowered) == 0)
        defer {
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
            signal(SIGXFSZ, handler)
        }
        try withTemporaryDirectory { work in
            let file = try files.open(work + "/a", .create)
            let bytes = patternBytes(100)
            #expect(code { try file.write(bytes.span, at: limit - 10) } == .fileTooLarge)
            #expect(try file.size() == limit, "the system took ten bytes, and the call went on for the rest")
            #expect(try file.readBytes(100, at: limit - 10) == Array(bytes.prefix(10)))
        }
    }

    @Test func interruptedWritesAndReadsAreCompleted() throws {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { _ in }
        // Without SA_RESTART a blocking call returns EINTR.
        action.sa_flags = 0
        var before = sigaction()
        unsafe sigaction(SIGUSR2, &action, &before)
        defer { unsafe sigaction(SIGUSR2, &before, nil) }
        try withTemporaryDirectory { work in
            let holder = try files.open(work + "/lock", .create)
            try holder.lock()
            let waiting = Waiting(try files.open(work + "/lock", .create))
            var thread = pthread_t()
            let context = unsafe Unmanaged.passRetained(waiting).toOpaque()
            unsafe pthread_create(
                &thread, nil,
                { context in
                    let waiting = unsafe Unmanaged<Waiting>.fromOpaque(context!).takeRetainedValue()
                    waiting.run()
                    return nil
                }, context)
            for _ in 0..<50 {
                pthread_kill(thread, SIGUSR2)
                usleep(1_000)
            }
            #expect(waiting.outcome == nil, "signals do not end the wait")
            try holder.unlock()
            pthread_join(thread, nil)
            #expect(waiting.outcome == true)
        }
    }

    @Test func aPrivateFileIsItsOwnersAlone() throws {
        try withTemporaryDirectory { work in
            let file = try files.open(work + "/secret", .createPrivate)
            defer { file.close() }
            var facts = stat()
            #expect(unsafe lstat(work + "/secret", &facts) == 0)
            #expect(facts.st_mode == S_IFREG | 0o600)
            try files.replace(work + "/secret", with: [1, 2], isPrivate: true)
            #expect(unsafe lstat(work + "/secret", &facts) == 0)
            #expect(facts.st_mode == S_IFREG | 0o600 && facts.st_size == 2)
        }
    }

    @Test(arguments: [OpenMode.read, .readWrite, .create]) func aPipeIsRefusedAtOnce(mode: OpenMode) throws {
        try withTemporaryDirectory { work in
            try #require(unsafe mkfifo(work + "/pipe", 0o600) == 0)
            try #require(unsafe symlink("pipe", work + "/link") == 0)
            for name in ["pipe", "link"] {
                #expect(code { _ = try files.open(work + "/" + name, mode) } == .unsupported)
            }
        }
    }

    @Test func linksToDirectoriesAreDirectories() throws {
        try withTemporaryDirectory { work in
            try files.createDirectory(work + "/real")
            try files.replace(work + "/file", with: [1])
            for (name, target) in [
                ("link", "real"), ("second", "link"), ("toFile", "file"), ("dangling", "none"), ("loop", "loop"),
            ] {
                try #require(unsafe symlink(target, work + "/" + name) == 0)
            }
            for name in ["real", "link", "second", "link/", "link/."] {
                #expect(try files.isDirectory(work + "/" + name), "\(name)")
                try files.createDirectory(work + "/" + name)
                try files.createDirectories(work + "/" + name)
            }
            for name in ["file", "toFile", "dangling", "none", "file/x"] {
                #expect(try !files.isDirectory(work + "/" + name), "\(name)")
            }
            for name in ["file", "toFile", "dangling"] {
                #expect(code { try files.createDirectory(work + "/" + name) } == .alreadyExists, "\(name)")
                #expect(code { try files.createDirectories(work + "/" + name) } == .notDirectory, "\(name)")
            }
            #expect(code { _ = try files.isDirectory(work + "/loop") } == .invalidPath)
            try files.createDirectories(work + "/link/a/b")
            #expect(try files.isDirectory(work + "/real/a/b"))
        }
    }

    @Test func refusalsAreTranslated() throws {
        #expect(code { _ = try files.open("/proc/self/mem", .read).readBytes(1, at: 0) } == .inputOutput)
        #expect(code { _ = try files.open("/tmp/" + String(repeating: "x", count: 300), .create) } == .invalidPath)
        #expect(code { try files.rename("/proc/version", to: "/tmp/strandline-version") } == .unsupported)
        #expect(try files.open("/dev/null", .read).readBytes(10) == [])
    }

    @Test func descriptorsAreNotInherited() throws {
        try withTemporaryDirectory { work in
            let file = try files.open(work + "/a", .create)
            let page = try files.sharedPage(work + "/page", words: 1)
            let watcher = try files.watch(work)
            for name in try files.list("/proc/self/fd") {
                guard let descriptor = Int32(name), descriptor > 2 else { continue }
                let text = target(of: descriptor)
                guard text.hasPrefix(work) || text.contains("inotify") || text.contains("eventfd") else { continue }
                let flags = fcntl(descriptor, F_GETFD)
                #expect(flags == -1 || flags & FD_CLOEXEC != 0, "descriptor of \(text)")
            }
            withExtendedLifetime((file, page, watcher)) {}
        }
    }

    @Test func descriptorsAreGivenBack() throws {
        try withTemporaryDirectory { work in
            for _ in 0..<10 {
                _ = try files.open(work + "/a", .create)
                _ = try files.sharedPage(work + "/page", words: 1)
                _ = try files.attributes(of: work + "/a")
                _ = try files.list(work)
                #expect(throws: StorageError.self) { _ = try files.open(work, .read) }
                try files.syncDirectory(work)
            }
            let open = try files.list("/proc/self/fd").compactMap { Int32($0).map(target(of:)) }
            #expect(!open.contains { $0.hasPrefix(work) }, "\(open)")
            // More than a user may have: a leak would show as tooManyOpenFiles.
            for _ in 0..<300 { _ = try files.watch(work) }
        }
    }

    /// What an open descriptor of this process leads to.
    private func target(of descriptor: Int32) -> String {
        var text = [CChar](repeating: 0, count: 256)
        let length = unsafe readlink("/proc/self/fd/\(descriptor)", &text, text.count)
        return String(decoding: text.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func attributesChangeWithTheContents() throws {
        try withTemporaryDirectory { work in
            let file = try files.open(work + "/a", .create)
            let before = try #require(try files.attributes(of: work + "/a"))
            usleep(20_000)
            try file.write([1].span, at: 0)
            let after = try #require(try files.attributes(of: work + "/a"))
            #expect(after.change > before.change && after.modification > before.modification)
            #expect(after.birth == before.birth && after.inode == before.inode)
            #expect(after.birth == 0 || after.birth > 1_600_000_000_000_000_000)
            #expect(after.fileSystem != 0)
        }
    }
}

/// A thread's wait for a lock.
private final class Waiting: Sendable {
    private let file: any File
    private let result = Atomic<Int>(0)

    init(_ file: any File) { self.file = file }

    /// Nil while it waits.
    var outcome: Bool? {
        switch result.load(ordering: .acquiring) {
        case 0: nil
        case 1: true
        default: false
        }
    }

    func run() {
        let isLocked = (try? file.lock()) != nil
        result.store(isLocked ? 1 : 2, ordering: .releasing)
    }
}
#endif
