public import Transports

/// Where a device is reached, and which one is expected there: `tls://host:7878`, `tls://DEVICE-ID@host:7878`.
///
/// ```swift
/// let address = try TLSAddress(parsing: "tls://[2001:db8::1]:7878")
/// ```
public struct TLSAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name or a number; empty, for a listener, for every address of this machine.
    public var host: String
    public var port: Int
    /// The device that must answer; nil for any that is trusted.
    public var device: DeviceID?

    public init(host: String, port: Int, device: DeviceID? = nil) {
        self.host = host
        self.port = port
        self.device = device
    }

    /// - Throws: ``Transports/TransportError/Code/badAddress``, saying which part is wrong.
    public init(parsing text: String) throws(TransportError) {
        let scheme = "tls://"
        guard text.hasPrefix(scheme) else {
            throw TransportError(.badAddress, address: text, "\(text) is no address of TLS; write tls://host:7878")
        }
        var rest = text.dropFirst(scheme.count)
        if let end = rest.lastIndex(of: "@") {
            do throws(DeviceError) {
                device = try DeviceID(parsing: String(rest[..<end]))
            } catch {
                throw TransportError(.badAddress, address: text, "in \(text), \(error)", cause: error)
            }
            rest = rest[rest.index(after: end)...]
        }
        let place = try HostAddress(parsing: String(rest), address: text)
        (host, port) = (place.host, place.port)
    }

    public var description: String {
        "tls://\(device.map { "\($0)@" } ?? "")\(HostAddress(host: host, port: port))"
    }
}
