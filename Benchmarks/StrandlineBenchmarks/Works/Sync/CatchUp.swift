import Storage
import Strandline
import TLSTransport
import Transports

/// An empty replica brought up to a full one, over a stream, until everything is durable there.
enum CatchUp {
    /// What the bytes go through.
    enum Way { case unix, tls }

    /// - Parameter isFolded: whether the time ends only when the objects can be fetched, from runs and memory.
    static func measure(_ options: RunOptions, _ way: Way, isFolded: Bool = false) async throws -> Measurement {
        try Environment.system.fileSystem.createDirectory(options.directory)
        try FilledStore.make(part(options, "full"), posts: options.rows)
        let full = try await Store.open(.directory(options.directory + "/full"), KeyedPost.self)
        let directory = options.directory + "/replica"
        var joining = Store.Options()
        joining.dataset = full.dataset
        let empty = try await Store.open(.directory(directory), KeyedPost.self, options: joining)
        let (server, peer) = try await serve(full, way, options.directory)
        let meter = Meter()
        try await empty.sync(with: peer)
        if isFolded {
            guard try empty.count(KeyedPost.all) == Int(options.rows) else { throw BenchmarkError("the replica lacks posts") }
        }
        var result = meter.finish(options, operations: options.rows)
        server.stop()
        guard try empty.digest() == full.digest() else { throw BenchmarkError("the replica came to have another state") }
        try await full.close()
        try await StoreContents<KeyedPost>.check(empty, &result, part(options, "replica"))
        return result
    }

    private static func serve(_ store: Store, _ way: Way, _ directory: String) async throws -> (SyncServer, SyncPeer) {
        switch way {
        case .unix:
            let path = directory + "/socket"
            return (try await store.serve(on: try UnixListener(path: path)), .unix(path: path))
        case .tls:
            let device = directory + "/device"
            let identity = try DeviceIdentity.open(in: device)
            let trusted = TrustList(in: device)
            try trusted.trust(identity.id)
            let listener = try TLSListener(host: "127.0.0.1", port: 0, identity: identity, trusting: trusted)
            let transport = TLSTransport(
                host: "127.0.0.1", port: listener.port, identity: identity, trusting: trusted, expecting: identity.id)
            return (try await store.serve(on: listener), .stream(transport))
        }
    }

    /// The options for something below the directory of the run.
    private static func part(_ options: RunOptions, _ name: String) -> RunOptions {
        var options = options
        options.directory += "/" + name
        options.count = options.rows
        return options
    }
}

/// Over a Unix socket, from batches of a thousand.
struct CatchUpUnix: Work {
    static let name = "sync-unix"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, both replicas in one process, a Unix socket between; durable at the receiver; unique key")
        return try await CatchUp.measure(options, .unix)
    }
}

/// The same, until the posts can be fetched.
struct CatchUpFolded: Work {
    static let name = "sync-unix-folded"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, a Unix socket; durable at the receiver, and counted there by a fetch; unique key")
        return try await CatchUp.measure(options, .unix, isFolded: true)
    }
}

/// Over TLS.
struct CatchUpTLS: Work {
    static let name = "sync-tls"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe(
            "public API, both replicas in one process, TLS 1.3 over TCP between; durable at the receiver; unique key")
        return try await CatchUp.measure(options, .tls)
    }
}

/// Over a Unix socket, from transactions of one post each.
struct CatchUpLone: Work {
    static let name = "sync-lone"
    static let unit = "posts"
    static let count: UInt64 = 100_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.batch = 1
        options.describe(
            "public API, a Unix socket; a transaction for each post, committed one by one; durable at the receiver")
        return try await CatchUp.measure(options, .unix)
    }
}
