#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension HostIdentity {
    /// The machine and boot this process runs in, read once.
    ///
    /// Both are hashes of what the system says, so that nothing about the machine can be read from a store. Where there is no
    /// machine id (a bare container) the host's name stands in.
    public static let current = HostIdentity(
        machine: digest("machine", machineText()), boot: digest("boot", bootText()))

    private static func digest(_ purpose: String, _ text: String) -> Digest128 {
        Checksum.xxh3Wide(Array("strandline \(purpose) \(text)".utf8).span)
    }

    #if canImport(Glibc)
    private static func machineText() -> String {
        line(of: "/etc/machine-id") ?? line(of: "/var/lib/dbus/machine-id") ?? hostName()
    }

    private static func bootText() -> String {
        line(of: "/proc/sys/kernel/random/boot_id") ?? ""
    }

    /// The first line of a small file; files of /proc have no size, so read without asking for it.
    private static func line(of path: String) -> String? {
        guard let file = try? POSIXFileSystem().open(path, .read) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        var span = bytes.mutableSpan
        guard let count = try? file.read(into: &span, at: 0) else { return nil }
        let text = String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
    #else
    private static func machineText() -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        var patience = timespec(tv_sec: 1, tv_nsec: 0)
        return unsafe gethostuuid(&bytes, &patience) == 0 ? "\(bytes)" : hostName()
    }

    private static func bootText() -> String {
        var bytes = [UInt8](repeating: 0, count: 64)
        var count = bytes.count
        guard unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return "" }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    #endif

    private static func hostName() -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        _ = unsafe gethostname(&bytes, bytes.count - 1)
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
