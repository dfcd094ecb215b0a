import Glibc
import Simulation
import Storage
import Testing
import TransportContract
import Transports

@Suite("ExecChannel")
struct ExecChannelTests {
    /// How a command's stream ends: nil for the end, after `bytes`.
    private static func run(_ command: String, input: [UInt8] = []) throws -> (bytes: [UInt8], error: TransportError?) {
        let channel = try ExecTransport(command: command).connect()
        let stream = try ByteStream(channel)
        defer { channel.close() }
        var bytes: [UInt8] = []
        do {
            if !input.isEmpty { try stream.write(input) }
            while let more = try stream.read() { bytes += more }
            return (bytes, nil)
        } catch let error as TransportError {
            return (bytes, error)
        }
    }

    @Test("the exit status and the last words of a command are in the error")
    func failures() async throws {
        try await blocking {
            let failed = try Self.run("echo one >&2; printf 'two\\033[1m\\n' >&2; exit 7")
            #expect(failed.error?.code == .unreachable && failed.error?.isRetryable == true)
            #expect(failed.error?.message.contains("exit status 7") == true, "\(failed)")
            #expect(failed.error?.message.contains("one / two [1m") == true, "\(failed)")
            let later = try Self.run("echo hello; exit 3")
            #expect(later.bytes == Array("hello\n".utf8) && later.error?.code == .closed)
            #expect(later.error?.message.contains("nothing on standard error") == true)
            let missing = try Self.run("/no/such/program")
            #expect(missing.error?.code == .badAddress && missing.error?.message.contains("/no/such/program") == true)
            let killed = try Self.run("kill -9 $$")
            #expect(killed.error?.message.contains("signal 9") == true)
            #expect(throws: TransportError.self) { try ExecTransport(command: "  ").connect() }
        }
    }

    @Test("a command that talks much on standard error is not held up")
    func noisy() async throws {
        try await blocking {
            let line = "a line of sixty-four characters, or nearly, to fill a pipe"
            let (bytes, error) = try Self.run("i=0; while [ $i -lt 4000 ]; do echo '\(line)' >&2; i=$((i+1)); done; echo done")
            #expect(error == nil && bytes == Array("done\n".utf8))
        }
    }

    @Test("a command gets signals and descriptors as a program expects them")
    func surroundings() async throws {
        try await blocking {
            // Inherited by children, unless somebody takes care.
            let stray = dup(2)
            defer { close(stray) }
            let command = "ls /proc/self/fd | tr '\\n' ' '; grep -E '^Sig(Blk|Ign):' /proc/self/status | cut -f 2"
            let (bytes, error) = try Self.run(command)
            let said = String(decoding: bytes, as: UTF8.self)
            // ls has opened the directory itself.
            #expect(error == nil && said.hasPrefix("0 1 2 3 "), "\(said)")
            let masks = said.dropFirst("0 1 2 3 ".count).split(separator: "\n").map { UInt64($0, radix: 16) }
            // Signals from 32 on are the C library's own.
            #expect(masks.count == 2 && masks.allSatisfy { $0.map { $0 & 0x7FFF_FFFF } == 0 }, "\(said)")
        }
    }

    @Test("who ignores the end of its input is asked to end, and is reaped")
    func stubborn() async throws {
        try await blocking {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let mark = folder.path + "/asked"
            let command = "trap 'echo yes >\(mark); exit 0' TERM; echo $$; while true; do sleep 0.05; done"
            let channel = try ExecTransport(command: command).connect()
            let stream = try ByteStream(channel)
            let said = String(decoding: try stream.read() ?? [], as: UTF8.self)
            let number = Int32(said.split(separator: "\n").first ?? "") ?? 0
            #expect(number > 0 && kill(number, 0) == 0)
            channel.close()
            channel.close()
            let pause = WakeSignal()
            for _ in 0..<60_000 where kill(number, 0) == 0 { pause.wait(past: pause.generation, milliseconds: 5) }
            #expect(kill(number, 0) != 0, "no zombie is left")
            #expect(unsafe access(mark, F_OK) == 0)
        }
    }

    @Test("a command that closes its input is not written to for ever")
    func deaf() async throws {
        try await blocking {
            let channel = try ExecTransport(command: "exec <&-; echo ready; exec sleep 600").connect()
            let stream = try ByteStream(channel)
            #expect(try stream.read() == Array("ready\n".utf8))
            // Other tests start processes, which hold a copy of the pipe's other end for a moment.
            while try stream.writeNow([1]) != 0 {}
            let end = #expect(throws: TransportError.self) { while try stream.read() != nil {} }
            #expect(end?.message.contains("signal") == true)
        }
    }
}
