import Strandline
import TLSTransport

/// The device that a store is to others: a key, and the devices it trusts, in its directory.
struct StoreDevice {
    let identity: DeviceIdentity
    let trusted: TrustList

    /// - Throws: `failed` when there is no store, or the key is damaged.
    init(of store: String) throws {
        let directory = store + "/device"
        identity = try DeviceIdentity.open(in: directory)
        trusted = TrustList(in: directory)
    }

    /// Looks first whether there is a store.
    static func checked(_ store: String, _ terminal: Terminal) async throws -> StoreDevice {
        try await StoreAccess.reading(store, terminal) { _ in }
        return try StoreDevice(of: store)
    }
}
