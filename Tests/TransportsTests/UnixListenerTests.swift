import Glibc
import Simulation
import Storage
import Testing
import TransportContract
import Transports

@Suite("UnixListener")
struct UnixListenerTests {
    private func withFolder(_ body: @escaping @Sendable (String) throws -> Void) async throws {
        try await blocking {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            try body(folder.path)
        }
    }

    private static func mode(_ path: String) -> mode_t? {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 ? facts.st_mode : nil
    }

    /// A socket that nobody listens at any more.
    private static func leaveSocket(at path: String, listening: Bool = false) throws -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(number, $0, size) }
        }
        guard isBound == 0 else { throw ContractBreach("no socket at \(path)") }
        if listening { listen(number, 5) }
        return number
    }

    @Test("the socket is its owner's alone, tells who connects, and goes with the listener")
    func life() async throws {
        try await withFolder { folder in
            let path = folder + "/socket"
            let listener = try UnixListener(path: path)
            #expect(listener.address == "unix:\(path)")
            #expect(Self.mode(path) == S_IFSOCK | 0o600)
            #expect(try listener.accept() == nil)
            let near = try UnixTransport(path: path).connect()
            let far = try TransportAdapters.accept(from: listener)
            #expect(near.identity == .user(uid: getuid(), process: getpid()) && far.identity == near.identity)
            listener.close()
            listener.close()
            #expect(Self.mode(path) == nil)
            #expect(try near.write([1].span) == 1, "what was accepted goes on")
            let error = #expect(throws: TransportError.self) { try listener.accept() }
            #expect(error?.code == .closed && listener.interest == nil)
            let late = #expect(throws: TransportError.self) { try UnixTransport(path: path).connect() }
            #expect(late?.code == .unreachable && late?.isRetryable == true && late?.message.contains(path) == true)
        }
    }

    @Test("a dead server's socket is replaced, a living one's and anything else is left alone")
    func stale() async throws {
        try await withFolder { folder in
            let path = folder + "/socket"
            close(try Self.leaveSocket(at: path))
            let refused = #expect(throws: TransportError.self) { try UnixTransport(path: path).connect() }
            #expect(refused?.code == .refused)
            let first = try UnixListener(path: path)
            let error = #expect(throws: TransportError.self) { try UnixListener(path: path) }
            #expect(error?.code == .failed && error?.message.contains("another process listens") == true)
            _ = try UnixTransport(path: path).connect()
            first.close()

            let foreign = try Self.leaveSocket(at: path, listening: true)
            #expect(throws: TransportError.self, "one that knows nothing of our lock") { try UnixListener(path: path) }
            #expect(Self.mode(path) != nil)
            close(foreign)
            // Processes that other tests start hold a copy of it until they run their program.
            var replacing: UnixListener?
            let pause = WakeSignal()
            for _ in 0..<60_000 where replacing == nil {
                replacing = try? UnixListener(path: path)
                if replacing == nil { pause.wait(past: pause.generation, milliseconds: 5) }
            }
            try #require(replacing).close()

            let file = folder + "/file"
            close(unsafe open(file, O_CREAT | O_RDWR, 0o600))
            let other = #expect(throws: TransportError.self) { try UnixListener(path: file) }
            #expect(other?.code == .badAddress && Self.mode(file) == S_IFREG | 0o600)
        }
    }

    @Test("a listener removes no socket but its own")
    func replaced() async throws {
        try await withFolder { folder in
            let path = folder + "/socket"
            let listener = try UnixListener(path: path)
            unsafe unlink(path)
            let other = try Self.leaveSocket(at: path)
            listener.close()
            #expect(Self.mode(path) != nil)
            close(other)
        }
    }

    @Test("a path too long for the system, or missing, says so")
    func paths() async throws {
        try await withFolder { folder in
            let long = folder + "/" + String(repeating: "a", count: 200)
            let attempts: [() throws -> Void] = [
                { _ = try UnixListener(path: long) }, { _ = try UnixTransport(path: long).connect() },
            ]
            for attempt in attempts {
                let error = #expect(throws: TransportError.self) { try attempt() }
                #expect(error?.code == .badAddress && error?.message.contains("107") == true)
            }
            let missing = #expect(throws: TransportError.self) { try UnixListener(path: folder + "/missing/socket") }
            #expect(missing?.message.contains("/missing/socket") == true)
        }
    }
}
