import Strandline
import TLSTransport

/// Takes back what `trust` gave.
struct UntrustCommand: Command {
    let name = "untrust"
    let summary = "trust a device no longer"
    let usage = """
        usage: strandline untrust STORE DEVICE-ID

        The device may connect no more; a session that it has ends within a second or so.
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let path = try arguments.positional("STORE")
        let id = try arguments.positional("DEVICE-ID", as: DeviceArgument.self).id
        try arguments.finish()
        let device = try await StoreDevice.checked(path, terminal)
        guard try device.trusted.untrust(id) else {
            throw CommandError.failed("\(path) did not trust \(id); 'strandline device \(path)' lists those that it trusts")
        }
        terminal.say("\(path) trusts \(id) no longer")
    }
}
