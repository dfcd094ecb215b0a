import Interchange
import Strandline
import TLSTransport

/// Prints who a store is to peers over TLS, and whom it trusts.
struct DeviceCommand: Command {
    let name = "device"
    let summary = "print the device id of a store, and the devices it trusts"
    let usage = """
        usage: strandline device STORE [--json]

        Prints the id by which peers over TLS know this store, made at first use; type it at the other device: strandline trust
        STORE ID. Lists the devices that this store trusts.

          --json   {"device":"…","trusted":[{"device":"…","name":"…"}]}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let device = try await StoreDevice.checked(path, terminal)
        let trusted = try device.trusted.devices()
        guard !json else {
            let list = trusted.map { one in
                JSONValue.object([
                    JSONMember("device", .string(one.id.description)), JSONMember("name", .string(one.name)),
                ])
            }
            return terminal.json(
                .object([
                    JSONMember("device", .string(device.identity.id.description)), JSONMember("trusted", .array(list)),
                ]))
        }
        terminal.data(device.identity.id.description)
        for one in trusted { terminal.data("trusts \(one.id)" + (one.name.isEmpty ? "" : "  \(one.name)")) }
    }
}
