// A hub that serves its store on a Unix socket and over TLS, and a peer on each.
//
//     swift run example-hub

import Foundation
import Strandline
import TLSTransport
import Transports

struct Reading: Entity {
    var id = ID()
    var sensor = ""
    var celsius = 0.0
    static let schema = Schema<Self>("Reading") {
        Field("sensor", \.sensor, .indexed)
        Field("celsius", \.celsius)
    }
}

let home = FileManager.default.temporaryDirectory.appending(path: "hub-\(UUID().uuidString.prefix(8))")
defer { try? FileManager.default.removeItem(at: home) }
let hub = try await Store.open(at: home.appending(path: "hub"), Reading.self)
var joining = Store.Options()
joining.dataset = hub.dataset
let near = try await Store.open(at: home.appending(path: "near"), Reading.self, options: joining)
let far = try await Store.open(at: home.appending(path: "far"), Reading.self, options: joining)

// Each end of TLS has a device of its own, and trusts the other's: no trust, no bytes.
let (keys, farKeys) = (home.appending(path: "keys").path, home.appending(path: "far-keys").path)
let (device, farDevice) = (try DeviceIdentity.open(in: keys), try DeviceIdentity.open(in: farKeys))
try TrustList(in: keys).trust(farDevice.id, name: "far")
try TrustList(in: farKeys).trust(device.id, name: "hub")

let socket = home.appending(path: "socket").path
try await hub.serve(on: UnixListener(path: socket))
let server = try await hub.serve(
    on: TLSListener(host: "127.0.0.1", port: 0, identity: device, trusting: TrustList(in: keys)))
let address = try TLSAddress(parsing: server.address)

// Both peers stay connected: a commit on either goes through the hub to the other.
let tls = TLSTransport(
    host: address.host, port: address.port, identity: farDevice, trusting: TrustList(in: farKeys), expecting: device.id)
let links = [try await near.replicate(with: .unix(path: socket)), try await far.replicate(with: .stream(tls))]
for degrees in 0..<3 {
    try await near.write { tx in _ = try tx.insert(Reading(sensor: "roof", celsius: Double(degrees))) }
    try await far.write { tx in _ = try tx.insert(Reading(sensor: "cellar", celsius: 12)) }
}
while try ![near, far, hub].allSatisfy({ try $0.count(Reading.all) == 6 }) { try await Task.sleep(for: .milliseconds(20)) }

let cold = try far.fetch(Reading.where { $0.celsius < 2 }.sorted(by: \.celsius))
print("far sees \(cold.count) cold readings of the \(cold.first?.sensor ?? "")")
for link in links { link.stop() }
for store in [near, far, hub] { try await store.close() }
