import EventLog
import Simulation
import Storage
import Strandline
import Testing

private struct Page: Entity {
    var id = ID()
    var text = 0
    var mark = 0
    var tags = Many<Topic>()
    static let schema = Schema<Self>("Page") {
        Field("text", \.text)
        Field("mark", \.mark)
        Field("tags", \.tags, inverse: \.pages)
    }

    init() {}
    init(_ text: Int) { self.text = text }
}

private struct Topic: Entity {
    var id = ID()
    var pages = Many<Page>()
    static let schema = Schema<Self>("Topic") {
        Field("pages", \.pages, inverse: \.tags)
    }
}

/// What edits and undos come to by the plainest definition: each place has a chain of what it was before.
private struct UndoModel {
    enum Place: Hashable {
        case life(ObjectID)
        case field(ObjectID, String)
        case tag(ObjectID, ObjectID)
    }

    final class Node {
        let value: Int
        let parent: Node?
        let writer: Int
        let undone: Int?

        init(_ value: Int, _ parent: Node?, by writer: Int, undoing undone: Int? = nil) {
            self.value = value
            self.parent = parent
            self.writer = writer
            self.undone = undone
        }
    }

    var now: [Place: Node] = [:]
    var transactions: [[Place: Node]] = []
    var pages: [ObjectID] = []

    func isAlive(_ page: ObjectID) -> Bool { now[.life(page)]?.value == 1 }

    mutating func write(_ values: [Place: Int]) {
        transactions.append([:])
        for (place, value) in values { set(place, to: value) }
    }

    private mutating func set(_ place: Place, to value: Int, undoing undone: Int? = nil) {
        let node = Node(value, now[place], by: transactions.count - 1, undoing: undone)
        now[place] = node
        transactions[transactions.count - 1][place] = node
    }

    private func stands(_ wanted: Int, at place: Place) -> Bool {
        var node = now[place]
        while let held = node, held.writer != wanted {
            guard let undone = held.undone else { return false }
            node = transactions[undone][place]?.parent
        }
        return node != nil
    }

    /// Takes a transaction back.
    ///
    /// - Returns: what is left of it.
    mutating func undo(_ number: Int) -> Set<String> {
        var left: Set<String> = []
        let nodes = transactions[number]
        transactions.append([:])
        for page in pages {
            let life = nodes[.life(page)]
            let places = nodes.keys.filter {
                switch $0 {
                case .life: false
                case .field(let object, _), .tag(let object, _): object == page
                }
            }
            if let life {
                if stands(number, at: .life(page)) {
                    set(.life(page), to: life.parent?.value ?? 0, undoing: number)
                } else {
                    left.insert("\(page) gone")
                }
            } else if !places.isEmpty, !isAlive(page) {
                left.insert("\(page) gone")
            } else {
                for place in places {
                    if stands(number, at: place), let node = nodes[place] {
                        set(place, to: node.parent?.value ?? 0, undoing: number)
                    } else if case .field(_, let name) = place {
                        left.insert("\(page) \(name) overwritten")
                    } else {
                        left.insert("\(page) tags overwritten")
                    }
                }
            }
        }
        return left
    }
}

/// Undos, undos of undos and edits in any order, against a model; on one store, and on two that sync in between.
@Suite struct WriteTransactionUndoSoakTests {
    /// Where a transaction is, by its number in the model.
    private typealias Position = (origin: ReplicaID, sequence: UInt64)

    private func check(_ store: Store, _ model: UndoModel, _ labels: [Topic.ID]) throws {
        for page in model.pages {
            let found = try store.get(Page.ID(page))
            #expect((found != nil) == model.isAlive(page))
            guard let found else { continue }
            #expect(found.text == model.now[.field(page, "text")]?.value ?? 0)
            #expect(found.mark == model.now[.field(page, "mark")]?.value ?? 0)
            let tags = labels.filter { model.now[.tag(page, $0.object)]?.value == 1 }.map(\.object)
            #expect(try store.related(to: page, by: "tags").sorted() == tags.sorted())
        }
    }

    private func edit(
        _ store: Store, _ model: inout UndoModel, _ labels: [Topic.ID], _ random: inout SplitMix64
    ) async throws -> HistoryToken {
        let alive = model.pages.filter(model.isAlive)
        guard let page = alive.randomElement(using: &random), Int.random(in: 0..<8, using: &random) > 0 else {
            let value = Int.random(in: 1..<4, using: &random)
            let receipt = try await store.write { tx in try tx.insert(Page(value)).id.object }
            model.pages.append(receipt.value)
            model.write([
                .life(receipt.value): 1, .field(receipt.value, "text"): value, .field(receipt.value, "mark"): 0,
            ])
            return receipt.token
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let receipt = try await store.write { tx in try tx.delete(Page.ID(page)) }
            model.write([.life(page): 0])
            return receipt.token
        }
        // Few values, so that somebody often writes by himself what an undo would have put back.
        var values: [UndoModel.Place: Int] = [:]
        for name in ["text", "mark"] where Bool.random(using: &random) {
            let value = Int.random(in: 1..<4, using: &random)
            if model.now[.field(page, name)]?.value != value { values[.field(page, name)] = value }
        }
        let label = labels[Int.random(in: 0..<labels.count, using: &random)]
        let hadTag = model.now[.tag(page, label.object)]?.value == 1
        if Bool.random(using: &random) { values[.tag(page, label.object)] = hadTag ? 0 : 1 }
        let written = values
        let receipt = try await store.write { tx in
            try tx.update(Page.ID(page)) {
                if let text = written[.field(page, "text")] { $0.text = text }
                if let mark = written[.field(page, "mark")] { $0.mark = mark }
                switch written[.tag(page, label.object)] {
                case 0?: $0.tags.remove(label)
                case 1?: $0.tags.insert(label)
                default: break
                }
            }
        }
        model.write(values)
        return receipt.token
    }

    @Test(arguments: 0..<24) func anyOrderOfEditsAndUndosIsTheModels(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let environment = Environment.inMemory()
        try environment.fileSystem.createDirectory("/shared")
        var options = Store.Options()
        let first = try await Store.open(.environment("/a", environment), Page.self, Topic.self, options: options)
        options.dataset = first.dataset
        let second = try await Store.open(.environment("/b", environment), Page.self, Topic.self, options: options)
        let labels = try await first.write { tx in [try tx.insert(Topic()).id, try tx.insert(Topic()).id] }.value
        var model = UndoModel()
        // Nil for what changed nothing, and so is no transaction.
        var positions: [Position?] = []
        var (undone, left) = (0, 0)
        for step in 0..<60 {
            let store = seed.isMultiple(of: 2) || step / 5 % 2 == 0 ? first : second
            if step % 5 == 0, !seed.isMultiple(of: 2) {
                for store in [first, second, first] { try await store.sync(with: .folder(path: "/shared")) }
            }
            let token: HistoryToken
            let before = store.token.vector.sequence(of: store.replica)
            // The last few are undone more often than the others, as people do.
            let back = Int.random(in: 0..<(Bool.random(using: &random) ? 4 : 40), using: &random)
            if Int.random(in: 0..<5, using: &random) < 3, back < positions.count,
                let position = positions[positions.count - 1 - back]
            {
                let number = positions.count - 1 - back
                let receipt = try await store.undo(position.origin, position.sequence)
                let leftovers = Set(
                    receipt.value.leftovers.map {
                        [$0.object.description, $0.property?.name, $0.reason.rawValue].compactMap(\.self).joined(separator: " ")
                    })
                #expect(leftovers == model.undo(number))
                token = receipt.token
                undone += receipt.value.isEmpty ? 0 : 1
                left += leftovers.count
            } else {
                token = try await edit(store, &model, labels, &random)
            }
            let sequence = token.vector.sequence(of: store.replica)
            positions.append(sequence > before ? (store.replica, sequence) : nil)
            try check(store, model, labels)
        }
        #expect(undone > 5 && left > 0)
        for store in [first, second, first] { try await store.sync(with: .folder(path: "/shared")) }
        try check(second, model, labels)
        try await first.close()
        try await second.close()
    }
}
