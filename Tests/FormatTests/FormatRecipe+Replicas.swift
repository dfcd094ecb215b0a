import EventLog
import Simulation
import Storage
import Strandline

// Of several replicas.
extension FormatRecipe {
    /// Two stores of one dataset, synced after each wrote alone: concurrent updates, duplicates of a key, a delete against an update,
    /// edges and increments from both sides.
    static func merged() async throws -> StoreFiles {
        let machine = FormatMachine(seed: 20)
        try await pair(on: machine)
        try machine.sync("/a", with: "/b")
        // What each writes now knows the other's.
        try await machine.with("/a") { store in
            try await store.write(author: "a again") { tx in
                let tags = try tx.ids(of: "Tag")
                try tx.update(tags[0], [PropertyValue(FormatModel.title, .string("united"))])
                try tx.increment(tags[0], "score", by: 4)
            }
        }
        try machine.sync("/a", with: "/b")
        return try machine.contents(of: "/a")
    }

    /// `/a` and `/b` with one beginning and different continuations, not synced.
    static func pair(on machine: FormatMachine) async throws {
        try machine.create("/a")
        let (dataset, items) = try await machine.with("/a") { store in
            try await store.write(author: "model") { tx in for entity in FormatModel.declarations() { try tx.declare(entity) } }
            let items = try await store.write(author: "common") { tx in
                try (0..<4).map { number in
                    try tx.insert(
                        "Item",
                        [
                            PropertyValue(FormatModel.title, .string("common \(number)")),
                            PropertyValue(FormatModel.score, .counter(Int64(number))),
                        ])
                }
            }.value
            return (store.dataset, items)
        }
        try machine.create("/b", dataset: dataset)
        try machine.sync("/a", with: "/b")
        for side in ["a", "b"] {
            try await machine.with("/" + side) { store in try await diverge(store, side, items) }
        }
    }

    private static func diverge(_ store: Store, _ side: String, _ items: [ObjectID]) async throws {
        try await store.write(author: side) { tx in
            try tx.update(items[0], [PropertyValue(FormatModel.title, .string("from \(side)"))])
            try tx.increment(items[0], "score", by: side == "a" ? 2 : 30)
            if side == "a" {
                try tx.delete(items[1])
            } else {
                try tx.update(items[1], [PropertyValue(FormatModel.title, .string("late"))])
            }
            let tag = try tx.insert(
                "Tag",
                [
                    PropertyValue(FormatModel.name, .string("shared")), PropertyValue(FormatModel.realm, .int(1)),
                    PropertyValue(FormatModel.title, .string("of \(side)")), PropertyValue(FormatModel.score, .counter(1)),
                ])
            try tx.increment(tag, "score", by: 5)
            for item in side == "a" ? items[2...] : items[0..<1] { try tx.setEdge(item, "tags", tag, isPresent: true) }
        }
        try await store.write(author: side) { tx in
            let user = try tx.insert("User", [PropertyValue(FormatModel.name, .string(side))])
            try tx.update(items[2], [PropertyValue(FormatModel.owner, .reference(user))])
            // A child whose parent is gone elsewhere is hidden.
            if side == "b" {
                try tx.insert(
                    "Item",
                    [
                        PropertyValue(FormatModel.parent, .reference(items[1])),
                        PropertyValue(FormatModel.owner, .reference(user)),
                    ])
            }
        }
    }

    /// Transactions from a machine whose clock is ahead, some released by time, some waiting.
    static func held() async throws -> StoreFiles {
        let machine = FormatMachine(seed: 21)
        try await pair(on: machine)
        let now = machine.clock.now()
        for minutes in [2, 10, 600] as [UInt64] {
            machine.clock.set(now: now + minutes * 60_000)
            try await machine.with("/b") { store in
                try await store.write(author: "ahead") { tx in
                    try tx.insert("Item", [PropertyValue(FormatModel.title, .string("\(minutes) minutes ahead"))])
                }
            }
        }
        machine.clock.set(now: now)
        try machine.sync("/a", with: "/b")
        try await machine.with("/a") { store in
            try await store.write(author: "unaware") { tx in
                try tx.insert("Item", [PropertyValue(FormatModel.title, .string("unaware"))])
            }
        }
        machine.clock.set(now: now + 5 * 60_000)
        try await machine.with("/a") { store in
            try await store.write(author: "aware") { tx in
                try tx.insert("Item", [PropertyValue(FormatModel.title, .string("aware"))])
            }
        }
        return try machine.contents(of: "/a")
    }

    /// A store whose machine was rolled back, so that one replica wrote two histories; each side refers to objects of both.
    static func forked() async throws -> StoreFiles {
        let machine = FormatMachine(seed: 22)
        _ = try await fork(machine)
        return try machine.contents(of: "/b")
    }

    /// The same, with the clock of one branch ahead.
    static func forkedHeld() async throws -> StoreFiles {
        let machine = FormatMachine(seed: 23)
        _ = try await fork(machine, ahead: 3_600_000)
        return try machine.contents(of: "/b")
    }

    private static func fork(_ machine: FormatMachine, ahead: UInt64 = 0) async throws -> FormatMachine {
        try await pair(on: machine)
        try machine.sync("/a", with: "/b")
        let clone = machine.clone(seed: 99)
        let now = machine.clock.now()
        try await branch(machine, "left")
        machine.clock.set(now: now + ahead)
        try await branch(clone, "right")
        machine.clock.set(now: now + 100)
        try machine.sync("/b", with: "/a")
        try await machine.with("/b") { store in
            try await store.write(author: "knows left") { tx in
                for id in try tx.ids(of: "Item") { try tx.update(id, [PropertyValue(FormatModel.number, .int(1))]) }
            }
        }
        try machine.sync("/b", with: "/a", on: clone)
        try await machine.with("/b") { store in
            try await store.write(author: "knows both") { tx in
                for id in try tx.ids(of: "Item") { try tx.update(id, [PropertyValue(FormatModel.number, .int(2))]) }
            }
        }
        // The forked one hears of it, takes a new id, and goes on.
        try machine.sync("/a", with: "/b")
        try await branch(machine, "renamed")
        try machine.sync("/a", with: "/b")
        return clone
    }

    private static func branch(_ machine: FormatMachine, _ side: String) async throws {
        try await machine.with("/a") { store in
            let made = try await store.write(author: side) { tx in
                let item = try tx.insert("Item", [PropertyValue(FormatModel.title, .string("\(side) item"))])
                return item
            }.value
            try await store.write(author: side) { tx in
                let old = try tx.ids(of: "Item").first ?? made
                try tx.update(
                    old, [PropertyValue(FormatModel.title, .string("by \(side)")), PropertyValue(FormatModel.parent, .null)])
                try tx.update(made, [PropertyValue(FormatModel.parent, .reference(old))])
                try tx.increment(made, "score", by: 7)
            }
        }
    }
}
