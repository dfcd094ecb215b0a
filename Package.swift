// swift-tools-version: 6.2
import PackageDescription

/// The floors of the house (docs/ARCHITECTURE.md): a target may depend only on targets of lower floors.
let package = Package(
    name: "Strandline",
    platforms: [.macOS("26.0"), .iOS("26.0")],
    products: [
        .library(name: "Strandline", targets: ["Strandline"]),
        .library(name: "Simulation", targets: ["Simulation"]),
        .executable(name: "strandline", targets: ["CommandLineTool"]),
    ],
    targets: [
        // F0: system libraries, and the few system calls Swift cannot express.
        .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
        .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "COpenSSLTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "CSystem"),
        // F1
        .target(name: "Storage", dependencies: ["CLZ4", "CXXHash", "COpenSSL", "CSystem"]),
        // F2
        .target(name: "EventLog", dependencies: ["Storage"]),
        .target(name: "Transports", dependencies: ["Storage", "CSystem"]),
        // F3
        .target(name: "Projection", dependencies: ["EventLog", "Storage"]),
        .target(name: "SyncProtocol", dependencies: ["EventLog", "Storage"]),
        .target(name: "TLSTransport", dependencies: ["Transports", "Storage", "COpenSSLTLS"]),
        // F4
        .target(name: "Strandline", dependencies: ["Projection", "SyncProtocol", "Transports", "EventLog", "Storage"]),
        // F5
        .target(name: "Simulation", dependencies: ["Strandline", "Projection", "SyncProtocol", "EventLog", "Storage"]),
        .target(name: "Interchange", dependencies: ["Strandline", "Projection", "EventLog", "Storage"]),
        .target(name: "SampleModel", dependencies: ["Strandline"]),
        .target(name: "Generators", dependencies: ["SampleModel", "Strandline", "Storage"]),
        // F6
        .target(
            name: "Commands",
            dependencies: [
                "Interchange", "Generators", "SampleModel", "Strandline", "TLSTransport", "Transports",
                "Storage",
            ]),
        .executableTarget(name: "CommandLineTool", dependencies: ["Commands"]),
        // Benchmarks: no products, so that nobody who embeds the engine builds them.
        .target(
            name: "StrandlineBenchmarks",
            dependencies: ["Strandline", "TLSTransport", "Transports", "EventLog", "Storage", "CXXHash"],
            path: "Benchmarks/StrandlineBenchmarks"),
        .executableTarget(name: "strandline-bench", dependencies: ["StrandlineBenchmarks"], path: "Benchmarks/Command"),
        // Examples: built and run by the tests, and no products.
        .executableTarget(name: "example-folder", dependencies: ["Strandline"], path: "Examples/Folder"),
        .executableTarget(
            name: "example-hub", dependencies: ["Strandline", "Transports", "TLSTransport"], path: "Examples/Hub"),
        // Tests
        .target(name: "Faults", path: "Tests/Faults", exclude: ["failing-device.sh"]),
        .target(
            name: "TransportContract", dependencies: ["Transports", "Simulation", "Storage"], path: "Tests/TransportContract"),
        .testTarget(name: "TransportsTests", dependencies: ["TransportContract", "Transports", "Simulation", "Storage"]),
        .testTarget(
            name: "TLSTransportTests",
            dependencies: ["TransportContract", "TLSTransport", "Transports", "Simulation", "Storage"]),
        .testTarget(name: "StorageTests", dependencies: ["Storage", "Simulation"]),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation", "Storage"]),
        .testTarget(name: "EventLogTests", dependencies: ["Faults", "EventLog", "Simulation", "Storage"]),
        .testTarget(name: "SyncProtocolTests", dependencies: ["SyncProtocol", "Simulation", "EventLog", "Storage"]),
        .testTarget(name: "ProjectionTests", dependencies: ["Projection", "Simulation", "EventLog", "Storage"]),
        .testTarget(
            name: "StrandlineTests",
            dependencies: [
                "Faults", "SampleModel", "Simulation", "Strandline", "TLSTransport", "Projection", "Transports", "EventLog",
                "Storage",
            ]),
        .testTarget(name: "InterchangeTests", dependencies: ["Interchange", "Strandline", "Storage"]),
        .testTarget(name: "GeneratorsTests", dependencies: ["Generators", "SampleModel", "Strandline", "Storage"]),
        .executableTarget(
            name: "CrashWriter", dependencies: ["Commands", "SampleModel", "Strandline"], path: "Tests/CrashWriter"),
        .executableTarget(
            name: "StoreReader", dependencies: ["Commands", "SampleModel", "Strandline"], path: "Tests/StoreReader"),
        .testTarget(
            name: "CommandsTests",
            dependencies: ["Faults", "Commands", "Interchange", "SampleModel", "Simulation", "Strandline", "Storage"]),
        .testTarget(
            name: "FormatTests",
            dependencies: ["Simulation", "Strandline", "SyncProtocol", "Projection", "EventLog", "Storage"]),
        .systemLibrary(
            name: "CSQLite", path: "Tests/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .testTarget(
            name: "DifferentialTests",
            dependencies: ["CSQLite", "Interchange", "Simulation", "Strandline", "Projection", "EventLog", "Storage"]),
        .testTarget(name: "StrandlineBenchmarksTests", dependencies: ["StrandlineBenchmarks", "Strandline", "Storage"]),
        .testTarget(name: "TidyTests"),
    ]
)

for target in package.targets where target.type == .regular || target.type == .executable || target.type == .test {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
}
