// Invariants
// * `bytes` are a whole `sockaddr` of its family, as the system wants it.

import Storage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where a socket is, in the system's form.
struct SocketAddress: Sendable, Equatable {
    private let bytes: [UInt8]

    /// The most bytes that the path of a Unix socket may have: the field has a fixed size, with a NUL at its end.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// One of the system's `AF_…`.
    let family: Int32

    /// The address of a Unix socket.
    init(path: String, address: String) throws(TransportError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw TransportError(.badAddress, address: address, "the path of \(address) is empty or holds a NUL character")
        }
        guard path.utf8.count <= Self.longestPath else {
            throw TransportError(
                .badAddress, address: address,
                "the path of \(address) has \(path.utf8.count) bytes, and the system allows \(Self.longestPath) for a socket; "
                    + "choose a shorter one, or a path relative to the current directory")
        }
        family = AF_UNIX
        var unix = sockaddr_un()
        unix.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &unix.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        bytes = unsafe withUnsafeBytes(of: &unix) { unsafe Array($0) }
    }

    private init(_ pointer: UnsafePointer<sockaddr>, length: socklen_t) {
        bytes = unsafe Array(UnsafeRawBufferPointer(start: pointer, count: Int(length)))
        family = unsafe Int32(pointer.pointee.sa_family)
    }

    /// The port of an address of the internet, 0 of any other.
    var port: Int {
        guard family == AF_INET || family == AF_INET6, bytes.count > 3 else { return 0 }
        return Int(bytes[2]) << 8 | Int(bytes[3])
    }

    /// "203.0.113.5:7878", "[2001:db8::1]:7878"; "unknown" when the system cannot say.
    var text: String {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let failure = unsafe withPointer { unsafe getnameinfo($0, $1, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) }
        guard failure == 0 else { return "unknown" }
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return HostAddress(host: name, port: port).description
    }

    func connect(_ socket: Descriptor) -> SystemCall.Outcome<Int32> {
        SystemCall.run {
            #if canImport(Glibc)
            unsafe withPointer { unsafe Glibc.connect(socket.number, $0, $1) }
            #else
            unsafe withPointer { unsafe Darwin.connect(socket.number, $0, $1) }
            #endif
        }
    }

    func bind(_ socket: Descriptor) -> SystemCall.Outcome<Int32> {
        SystemCall.run {
            #if canImport(Glibc)
            unsafe withPointer { unsafe Glibc.bind(socket.number, $0, $1) }
            #else
            unsafe withPointer { unsafe Darwin.bind(socket.number, $0, $1) }
            #endif
        }
    }

    /// Where a socket is, or its peer.
    static func of(_ socket: Descriptor, isPeer: Bool) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { storage -> SocketAddress? in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> SocketAddress? in
                let failure =
                    unsafe isPeer
                    ? getpeername(socket.number, pointer, &length) : getsockname(socket.number, pointer, &length)
                return failure == 0 ? unsafe SocketAddress(pointer, length: length) : nil
            }
        }
    }

    /// The addresses of a host, in the order in which to try them.
    ///
    /// Unless `isNumeric`, this asks the network and may take as long as it likes.
    static func lookUp(
        _ host: HostAddress, forListening isPassive: Bool, isNumeric: Bool, address: String
    ) throws(TransportError) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV | (isPassive ? AI_PASSIVE : 0) | (isNumeric ? AI_NUMERICHOST : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = unsafe getaddrinfo(host.host.isEmpty ? nil : host.host, String(host.port), &hints, &list)
        guard failure == 0 else {
            let reason = unsafe gai_strerror(failure).map { unsafe String(cString: $0) } ?? "error \(failure)"
            throw TransportError(
                .unreachable, address: address,
                "cannot find the host \(host.host) of \(address): \(reason); see whether the name is right and the network is there"
            )
        }
        defer { unsafe freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let pointer = unsafe entry.pointee.ai_addr {
                let candidate = unsafe SocketAddress(pointer, length: entry.pointee.ai_addrlen)
                if !found.contains(candidate) { found.append(candidate) }
            }
            unsafe next = entry.pointee.ai_next
        }
        return found
    }

    private func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe bytes.withUnsafeBytes { raw in
            unsafe raw.withMemoryRebound(to: sockaddr.self) { list in
                // Never empty: every initialiser brings a whole address.
                guard let pointer = list.baseAddress else { preconditionFailure("a socket address has bytes") }
                return unsafe body(pointer, socklen_t(raw.count))
            }
        }
    }
}
