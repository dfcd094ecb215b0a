import EventLog
import Projection
import Simulation
import Storage

/// Questions about the objects of a ``HistoryModel``: by key, id and reference, through relationships of every kind, in order, counted,
/// in groups.
struct HistoryQuestions {
    private let world: World

    private init(_ world: World) { self.world = world }

    /// The questions about a world in which all entities are declared.
    static func all(about world: World) throws -> [Question] {
        let questions = HistoryQuestions(world)
        return try questions.posts() + questions.others() + questions.groups() + questions.lookups()
    }

    private func posts() throws -> [Question] {
        let hasText = world.model("Post")?.column("title")?.type == .string
        return [
            try rows("Post", "score > 1", sort: "-score,author"),
            try rows("Post", "author.handle == 'a' OR album.name == 'b'", sort: "author.handle,-score", limit: 5, offset: 1),
            // Of a name with two types, a filter means the one that its constant is of.
            try rows("Post", hasText ? "title IN {'b', 'c'}" : "title >= 1", sort: "author,-score", limit: 4),
            try rows("Post", "ANY tags.name == 'a' AND NOT (ALL tags.kind == 1)"),
            try rows("Post", "NONE attachments.owner.handle == 'b'"),
            try rows("Post", "TRUEPREDICATE", sort: "-attachments.@count,cover,body"),
            try rows("Post", "ANY attachments.children.owner != nil"),
            try count("Post", "attachments.@count > 0"),
            try count("Post", "cover == nil AND author != nil"),
        ]
    }

    private func others() throws -> [Question] {
        [
            try rows("User", "ANY posts.score > 1", sort: "realm,-handle"),
            try count("User", "posts.@count >= 2 OR realm == nil"),
            try rows("User", "ANY files.post.author != nil", limit: 2),
            try rows("Attachment", "post.author.handle == 'c'", sort: "body"),
            try rows("Attachment", "owner == nil OR parent.parent != nil", sort: "-children.@count,post"),
            try count("Attachment", "parent != nil AND children.@count == 0"),
            try rows("Tag", "name BEGINSWITH[c] 'B' OR score < 0", sort: "kind,-name"),
            try rows("Tag", "ANY posts.author.handle == 'c'"),
            try rows("Album", "front != nil", sort: "-posts.@count"),
            try count("Album", "front.score > 1 OR NONE posts.author != nil"),
        ]
    }

    private func groups() throws -> [Question] {
        [
            try groups("Post", "TRUEPREDICATE", by: ["author", "handle"], "count,sum:score,max:score"),
            try groups("Post", "ANY tags.kind == 0", by: nil, "count,sum:score,min:score"),
            try groups("User", "TRUEPREDICATE", by: ["realm"], "count,min:handle,max:handle,avg:score"),
            try groups("Tag", "score != 1", by: ["name"], "count,sum:kind"),
            try groups("Attachment", "TRUEPREDICATE", by: ["post", "album", "name"], "count"),
        ]
    }

    /// By unique keys, ids and references: also of what is not there.
    private func lookups() throws -> [Question] {
        var questions = [
            try rows("User", "handle == 'a'"), try rows("User", "handle == 'b' AND realm == 1"),
            try count("User", "realm == 0 AND handle == 'c' AND score > 0"),
        ]
        for name in ["a", "b", "c"] {
            for kind in 0...1 { questions.append(try rows("Tag", "name == '\(name)' AND kind == \(kind)")) }
        }
        let absent = ObjectID(replica: ReplicaID(.zero), sequence: 1, index: 0)
        for (entity, reference) in [("Post", "author"), ("Post", "album"), ("Attachment", "post"), ("Attachment", "owner")] {
            let target = world.model(entity)?.reference(reference)?.target ?? ""
            let ids = world.rows(of: target).map(\.id)
            for id in [ids.first ?? absent, ids.last ?? absent] {
                let filter = Filter.compare(.property(reference), .equal, .constant(.reference(id)))
                questions.append(Question(entity: entity, filter: filter, kind: .rows(sort: [], limit: nil, offset: 0)))
            }
            let itself = Filter.compare(.path(.object), .equal, .constant(.reference(ids.last ?? absent)))
            questions.append(Question(entity: target, filter: itself, kind: .rows(sort: [], limit: nil, offset: 0)))
            let some = (ids.prefix(3) + [absent]).map { Operand.constant(.reference($0)) }
            let among = Filter.comparison(Comparison(.path(.object), .in, some))
            questions.append(Question(entity: target, filter: among, kind: .count))
        }
        return questions
    }

    private func rows(
        _ entity: String, _ filter: String, sort: String? = nil, limit: Int? = nil, offset: Int = 0
    ) throws -> Question {
        let keys = try sort.map { try SortKey.parse($0) } ?? []
        return Question(entity: entity, filter: try Filter(filter), kind: .rows(sort: keys, limit: limit, offset: offset))
    }

    private func count(_ entity: String, _ filter: String) throws -> Question {
        Question(entity: entity, filter: try Filter(filter), kind: .count)
    }

    private func groups(_ entity: String, _ filter: String, by path: [String]?, _ aggregates: String) throws -> Question {
        Question(
            entity: entity, filter: try Filter(filter),
            kind: .groups(keys: path.map { [PropertyPath($0)] } ?? [], aggregates: try Aggregate.parse(aggregates)))
    }
}
