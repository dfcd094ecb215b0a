import Strandline
import TLSTransport

/// Lets a device sync with a store.
struct TrustCommand: Command {
    let name = "trust"
    let summary = "let a device sync with a store over TLS"
    let usage = """
        usage: strandline trust STORE DEVICE-ID [--name NAME]

        From now on the device may read and write the whole dataset, over TLS. Each side has to trust the other; 'strandline
        device STORE' prints a store's own id.

          --name NAME   what people call it
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let label = try arguments.option("--name") ?? ""
        let path = try arguments.positional("STORE")
        let id = try arguments.positional("DEVICE-ID", as: DeviceArgument.self).id
        try arguments.finish()
        let device = try await StoreDevice.checked(path, terminal)
        let isNew = try device.trusted.trust(id, name: label)
        terminal.say(isNew ? "\(path) trusts \(id)" : "\(path) trusted \(id) already")
    }
}
