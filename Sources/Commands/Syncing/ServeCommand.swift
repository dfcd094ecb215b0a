import Strandline
import Synchronization
import Transports

/// Lets peers sync with a store.
struct ServeCommand: Command {
    let name = "serve"
    let summary = "let peers sync with a store, and hear of every commit"
    let usage = """
        usage: strandline serve STORE --listen ADDRESS… [--blobs POLICY] [--json]
               strandline serve STORE --stdio [--blobs POLICY]

        Serves peers until it is interrupted. Each may stay, and hears of every commit at once, by whichever process. Says on
        standard error where it listens, and what is exchanged with whom.

          --listen ADDRESS   unix:PATH, a Unix socket: for the same user and root
                             tls://HOST:PORT, TLS 1.3: for devices that are trusted ('strandline trust'); without HOST at every
                             address of this machine, port 0 for any. May be given more than once
          --stdio            one peer, at the standard streams: what 'sync exec:ssh HOST strandline serve STORE --stdio' starts
          --blobs POLICY     which blobs are taken from peers: 'eager' (all, the default), 'on-demand', 'none'
          --json             an object per event on standard output
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let stdio = try arguments.flag("--stdio")
        let blobs = try arguments.option("--blobs", as: BlobPolicyArgument.self)?.policy ?? .eager
        var addresses: [ListenArgument] = []
        while let address = try arguments.option("--listen", as: ListenArgument.self) { addresses.append(address) }
        let path = try arguments.positional("STORE")
        try arguments.finish()
        guard stdio != !addresses.isEmpty else {
            throw CommandError.usage("give --listen ADDRESS, as often as there are addresses, or --stdio")
        }
        guard !(stdio && json) else { throw CommandError.usage("with --stdio standard output belongs to the peer") }
        try await StoreAccess.writing(path, terminal) { store in
            if stdio {
                try await store.serve(DescriptorChannel.standardStreams(), blobs: blobs)
            } else {
                try await serve(store, at: path, addresses, blobs, json: json, terminal)
            }
        }
    }

    private func serve(
        _ store: Store, at path: String, _ addresses: [ListenArgument], _ blobs: BlobPolicy, json: Bool, _ terminal: Terminal
    ) async throws {
        let events = store.syncEvents()
        var servers: [SyncServer] = []
        defer { for server in servers { server.stop() } }
        for address in addresses {
            let server = try await store.serve(on: try address.listener(of: path), blobs: blobs) {
                terminal.say("turned away: \($0)")
            }
            servers.append(server)
            terminal.say("serving \(server.address)")
        }
        try await Interruption.cancelling(after: nil) {
            for await event in events {
                terminal.say(event.description)
                guard json else { continue }
                terminal.json(ShownEvent(event).json)
                terminal.flush()
            }
        }
    }
}
