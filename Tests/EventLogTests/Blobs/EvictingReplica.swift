import EventLog
import Simulation
import Storage
import Testing

/// A store among others that evict the same blob at the same time, one step after the other.
final class EvictingReplica {
    /// A step of an eviction; what is said arrives between any two.
    enum Step {
        case begin
        /// Another replica is asked, and its answer is on its way.
        case ask(Int)
        /// What was answered so far decides.
        case decide
        /// It is given up whatever was answered: the process was killed, or the user was.
        case stay
        /// It fetches the blob again from whoever has it.
        case fetch
    }

    /// The copy of a blob is gone, and there was no other.
    struct LastCopyGone: Error {
        let order: [Int]
    }

    private static let content: [UInt8] = [1, 2, 3]
    /// What is asked is its name and length; its bytes are never looked at.
    private static let blob = BlobReference(id: BlobHasher.hash(content.span), length: UInt64(content.count))

    let id: ReplicaID
    let blobs: BlobStore
    private var leaving: LeavingBlob?
    private var isPromised = false

    init(_ number: UInt64) throws {
        let environment = Environment.inMemory()
        _ = try BlobFixture.prepare(environment.fileSystem, root: "/store")
        id = ReplicaID(Digest128(high: number, low: 1))
        blobs = BlobStore(StoreLayout(root: "/store"), in: environment, concurrently: false)
        try write()
    }

    private func write() throws {
        let name = Self.blob.id.description
        try blobs.fileSystem.createDirectories("/store/blobs/\(name.prefix(2))")
        try blobs.fileSystem.replace("/store/blobs/\(name.prefix(2))/\(name)", with: Self.content)
    }

    func take(_ step: Step, among all: [EvictingReplica]) throws {
        let blob = Self.blob
        switch step {
        case .begin: leaving = try blobs.beginLeaving(blob.id)
        case .ask(let other):
            guard leaving != nil else { return }
            // An answer to this question counts for this one alone: `leaving` stands for it.
            if try all[other].blobs.keep([blob], for: id) == [blob.id] { isPromised = true }
        case .decide:
            if isPromised { try leaving?.remove(isPromised: true) }
            giveUp()
        case .stay: giveUp()
        case .fetch:
            guard try !blobs.contains(blob.id), try all.contains(where: { try $0.blobs.contains(blob.id) }) else { return }
            try write()
        }
    }

    private func giveUp() {
        leaving?.stay()
        (leaving, isPromised) = (nil, false)
    }

    /// Calls with every order in which the programs of some replicas may be interleaved.
    static func forEachOrder(_ lengths: [Int], _ body: ([Int]) throws -> Void) rethrows {
        func extend(_ order: [Int], _ left: [Int]) throws {
            if left.allSatisfy({ $0 == 0 }) { return try body(order) }
            for actor in left.indices where left[actor] > 0 {
                var rest = left
                rest[actor] -= 1
                try extend(order + [actor], rest)
            }
        }
        try extend([], lengths)
    }

    /// Runs programs in every order; the blob is always somewhere.
    ///
    /// Returns in how many runs how many copies were left.
    ///
    /// - Parameter first: who takes the first step, where the programs are alike; nil for everybody.
    static func runAll(_ programs: [[Step]], first: Int? = nil) throws -> [Int: Int] {
        var left: [Int: Int] = [:]
        try forEachOrder(programs.map(\.count)) { order in
            if let first, order.first != first { return }
            let all = try programs.indices.map { try EvictingReplica(UInt64($0)) }
            var next = programs.map { _ in 0 }
            for actor in order {
                try all[actor].take(programs[actor][next[actor]], among: all)
                next[actor] += 1
                let copies = try all.count { try $0.blobs.contains(blob.id) }
                if copies == 0 { throw LastCopyGone(order: order) }
            }
            left[try all.count { try $0.blobs.contains(blob.id) }, default: 0] += 1
        }
        return left
    }
}
