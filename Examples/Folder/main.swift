// Two replicas that share a folder: a phone and a laptop, say, over Dropbox or a stick.
//
//     swift run example-folder

import Foundation
import Strandline

struct Note: Entity {
    var id = ID()
    var text = ""
    var stars = 0
    static let schema = Schema<Self>("Note") {
        Field("text", \.text)
        Field("stars", \.stars)
    }
}

let home = FileManager.default.temporaryDirectory.appending(path: "strandline-\(UUID().uuidString)")
let shared = home.appending(path: "shared")
try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: home) }

// The first replica begins a dataset, the second one joins it.
let phone = try await Store.open(at: home.appending(path: "phone"), Note.self)
var joining = Store.Options()
joining.dataset = phone.dataset
let laptop = try await Store.open(at: home.appending(path: "laptop"), Note.self, options: joining)

// Once, by hand: returns when this side has all and has published all.
let note = try await phone.write { tx in try tx.insert(Note(text: "Buy milk")).id }.value
try await phone.sync(with: .folder(shared))
let report = try await laptop.sync(with: .folder(shared))
print("laptop got \(report.imported.transactions) transactions")

// Both edit the same note without seeing each other: properties merge one by one.
try await phone.write { tx in try tx.update(note) { $0.text = "Buy oat milk" } }
try await laptop.write { tx in try tx.update(note) { $0.stars = 5 } }

// From now on by itself: each hears of what the other puts into the folder.
let events = laptop.syncEvents()
let following = [try await phone.replicate(with: .folder(shared)), try await laptop.replicate(with: .folder(shared))]
for await event in events where event.kind == .import && event.ended != nil {
    print(event)
    break
}
while try phone.digest() != laptop.digest() { try await Task.sleep(for: .milliseconds(20)) }
for replication in following { replication.stop() }

let merged = try laptop.get(note)
print("both have: \(merged?.text ?? "") with \(merged?.stars ?? 0) stars")
try await phone.close()
try await laptop.close()
