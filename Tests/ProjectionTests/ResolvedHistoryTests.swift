import EventLog
import Projection
import Simulation
import Storage
import Testing

/// Real logs whose origin forks: what their transactions say of each other's branches is what the fold understands.
@Suite struct ResolvedHistoryTests {
    private let clock = SimulatedClock()

    @discardableResult
    private func write(_ log: EventLog, _ changes: (TransactionBuilder) throws -> Void) throws -> TransactionHeader {
        clock.set(now: clock.now() + 1000)
        let transaction = try log.begin()
        let header = transaction.header
        let builder = try TransactionBuilder(
            origin: header.origin, sequence: header.sequence, timestamp: header.timestamp, context: header.context
        ) { try transaction.add(part: $0) }
        try changes(builder)
        _ = try builder.finish()
        _ = try log.finish(transaction)
        try log.flush()
        return header
    }

    private func rename(_ object: ObjectID, _ text: String) -> (TransactionBuilder) throws -> Void {
        {
            try $0.update(
                object, entity: "Box", length: 1,
                [Assignment(SmallModel.name, new: .string(text), old: nil, overwrote: nil)])
        }
    }

    private func transactions(_ log: EventLog) throws -> [Transaction] {
        var reader = try LogReader(log)
        var decoder = TransactionDecoder()
        var found: [Transaction] = []
        while let stored = try reader.next() {
            var parts: [PartBytes] = []
            try log.forEachPart(of: stored) { parts.append($0) }
            found.append(
                try decoder.decode(
                    parts: parts, origin: stored.branch.origin, sequence: stored.sequence,
                    previousChain: stored.previousChain, chain: stored.chain))
        }
        return found
    }

    private func send(_ source: EventLog, to target: EventLog) throws {
        var reader = try LogReader(source)
        while let stored = try reader.next() {
            guard case .parts(let parts) = stored.content else { continue }
            _ = try target.receive(
                Batch(
                    origin: stored.branch.origin, firstSequence: stored.sequence, previousChain: stored.previousChain,
                    transactions: parts))
        }
        try target.flush()
    }

    private func name(_ log: EventLog, ofBranchEndingIn header: TransactionHeader, _ source: EventLog) throws -> ReplicaID {
        let written = try transactions(source).first {
            $0.header.stamp == header.stamp && $0.header.sequence == header.sequence
        }
        let table = log.durableState.branches
        return try #require(
            table.vector(applied: true).first { $0.position.chain == written?.header.chain }?.name)
    }

    @Test(arguments: 0..<6) func referencesIntoForksMeanWhatTheirWriterSaw(_ seed: UInt64) throws {
        let files = SimulatedFileSystem()
        let environment = Environment.simulated(seed: seed, fileSystem: files, clock: clock)
        let before = try EventLog.create(at: "/a", in: environment)
        try write(before) { try $0.insert("Box", [SmallModel.named("common")]) }
        try before.close()
        var other = environment
        other.fileSystem = files.clone(sameIdentity: true)
        let (left, right) = (try EventLog.open(at: "/a", in: environment), try EventLog.open(at: "/a", in: other))
        let a = left.replica
        let leftHeader = try write(left) { try $0.insert("Box", [SmallModel.named("left")]) }
        let rightHeader = try write(right) { try $0.insert("Box", [SmallModel.named("right")]) }
        #expect(right.replica == a && leftHeader.sequence == 2 && rightHeader.sequence == 2)

        // Two that each know one branch, under the same name.
        let dataset = left.dataset
        let third = try EventLog.create(at: "/c", in: .simulated(seed: seed + 100, clock: clock), dataset: dataset)
        let fourth = try EventLog.create(at: "/d", in: .simulated(seed: seed + 200, clock: clock), dataset: dataset)
        let box = ObjectID(replica: a, sequence: 2, index: 0)
        try send(left, to: third)
        try send(right, to: fourth)
        #expect(try write(third, rename(box, "left by c")).context.map(\.origin) == [a])
        #expect(try write(fourth, rename(box, "right by d")).context.map(\.origin) == [a])

        // Then one of them learns of the fork: whichever of the names changed is told.
        try send(fourth, to: third)
        let names = try [name(third, ofBranchEndingIn: leftHeader, left), name(third, ofBranchEndingIn: rightHeader, right)]
        #expect(Set(names).count == 2 && names.contains(a))
        let boxes = names.map { ObjectID(replica: $0, sequence: 2, index: 0) }
        let state = ReferenceFold.fold(try transactions(third))
        #expect(text(state, boxes[0]) == "left by c" && text(state, boxes[1]) == "right by d")
        let header = try write(third, rename(boxes[0], "left again"))
        let told = (names[0] == a ? [names[1]] : names) + [fourth.replica]
        #expect(header.context.map(\.origin) == told.sorted(), "what kept its name and its end is not told again")
        try write(third, rename(boxes[1], "right again"))

        try send(third, to: fourth)
        for log in [third, fourth] {
            let state = ReferenceFold.fold(try transactions(log))
            #expect(text(state, boxes[0]) == "left again" && text(state, boxes[1]) == "right again")
            #expect(text(state, ObjectID(replica: a, sequence: 1, index: 0)) == "common")
            let origins = try write(log) { try $0.insert("Box", []) }.context.map(\.origin)
            // The third has told all it knows; the fourth learnt of the branch it did not have, and of its name.
            #expect(log === third ? origins.isEmpty : origins.contains(names[0]) && origins.contains(third.replica))
        }
        for log in [left, right, third, fourth] { try log.close() }
    }

    private func text(_ state: FoldState, _ id: ObjectID) -> String? {
        if case .value(.string(let text))? = state.row(id)?[SmallModel.name] { text } else { nil }
    }
}
