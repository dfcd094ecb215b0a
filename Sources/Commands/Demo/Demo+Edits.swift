import SampleModel
import Strandline

// What the three do at once, and what must have become of it.
extension Demo {
    func edit(_ anna: DemoReplica, _ ben: DemoReplica, _ carla: DemoReplica) async throws {
        terminal.say("\nNow each edits alone.")
        let ids = try edited(anna)
        terminal.say("all three give one post another title")
        for person in [anna, ben, carla] {
            let title = "\(person.name)'s title"
            try await person.write { tx in try tx.update(ids[0]) { $0.title = title } }
        }
        terminal.say("Anna counts a view of another post, Ben rewrites it")
        try await anna.write { tx in try tx.update(ids[1]) { $0.views = 1_000_000 } }
        try await ben.write { tx in try tx.update(ids[1]) { $0.content = "Ben was here." } }
        terminal.say("Anna deletes a third one, which Carla edits")
        try await anna.write { tx in try tx.delete(ids[2]) }
        try await carla.write { tx in try tx.update(ids[2]) { $0.title = "Carla's favourite" } }
        terminal.say("Ben and Carla each attach something to a fourth")
        for person in [ben, carla] {
            let name = "\(person.name)'s attachment"
            try await person.write { tx in try tx.insert(Attachment(name: name, post: ids[3])) }
        }
        try await importLate(ben)
        try await importLate(carla)
    }

    func checkMerge(_ people: [DemoReplica]) async throws {
        for person in people {
            let store = person.store
            let posts = try store.fetch(Post.all.limit(4))
            let second = posts[1]
            try check(
                second.views == 1_000_000 && second.content == "Ben was here.",
                "\(person.name) lacks one of two edits of different properties of \(second.id)")
            // The third is deleted, so the fourth is now in its place.
            let attachments = try posts[2].attachments.compactMap { try store.get($0)?.name }.sorted()
            try check(
                attachments == ["Ben's attachment", "Carla's attachment"],
                "\(person.name) has other attachments than Ben and Carla made: \(attachments)")
            let counts = (posts: try store.count(Post.all), quakes: try store.count(of: "Quake"))
            try check(
                counts == expected, "\(person.name) has \(counts) where there should be \(expected)")
        }
        terminal.say("edits of different properties are both there, as are both attachments; the deleted post is gone")
        terminal.say("Ben's and Carla's imports of the same earthquakes are one: each has \(expected.quakes)")
    }

    func showConflicts(_ people: [DemoReplica], since token: HistoryToken) async throws {
        let conflicts = try await people[0].store.conflicts(since: token)
        terminal.say("\nConflicts, alike for all three:")
        for conflict in conflicts { terminal.say(Self.text(conflict)) }
        try check(
            conflicts.contains { $0.kind == .values && $0.property.name == "title" && $0.losers.count == 2 }
                && conflicts.contains { $0.kind == .writeAgainstDelete },
            "three titles for one post, and an edit of a deleted one, are not among the conflicts")
        for person in people.dropFirst() {
            try check(
                try await person.store.conflicts(since: token) == conflicts, "\(person.name) sees other conflicts than Anna")
        }
    }

    func travel(_ person: DemoReplica, to token: HistoryToken) async throws {
        let ids = try edited(person)
        let past = try await person.store.snapshot(at: token)
        let then = try past.fetch(Post.all.limit(1)).map(\.title)
        let now = try person.store.get(ids[0])?.title ?? ""
        terminal.say("\nBefore the edits \(person.name)'s first post was '\(then.first ?? "")'; now it is '\(now)'")
        try check(
            try past.count(Post.all) == expected.posts + 1 && then.first != now,
            "the past of \(person.name)'s store is not what it was")
    }

    private static func text(_ conflict: Conflict) -> String {
        let losers = conflict.losers.map { "\($0.author)'s \(text($0.value))" }.joined(separator: " and ")
        let winner =
            conflict.kind == .writeAgainstDelete
            ? "\(conflict.winner.author)'s delete" : "\(conflict.winner.author)'s \(text(conflict.winner.value))"
        return "  \(conflict.entity).\(conflict.property.name): \(winner) holds, not \(losers)"
    }

    private static func text(_ value: Value) -> String {
        if case .string(let text) = value { "'\(text)'" } else { "\(value)" }
    }
}
