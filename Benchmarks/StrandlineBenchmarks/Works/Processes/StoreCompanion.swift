import Foundation
import Strandline

/// A process beside a writer, until it is killed: one that reads the writer's store all the time, or one that only takes time.
struct StoreCompanion<Kind: CompanionKind>: Work {
    static var name: String { "store-companion-\(Kind.name)" }
    static var unit: String { "rounds" }
    static var count: UInt64 { 1 }

    func run(_ options: RunOptions) async throws -> Measurement {
        let round = try await Kind.prepare(options)
        FileHandle.standardOutput.write(Data(DriveProcess.ready.utf8))
        _ = readLine()
        while true { try round() }
    }
}

/// What a companion does all the time.
protocol CompanionKind: Sendable {
    static var name: String { get }

    /// What is done again and again.
    static func prepare(_ options: RunOptions) async throws -> () throws -> Void
}

/// Counts by a predicate and fetches some of what it selects, as of one moment.
struct ReadingCompanion: CompanionKind {
    static let name = "reading"

    static func prepare(_ options: RunOptions) async throws -> () throws -> Void {
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        var number: UInt64 = 0
        return {
            number += 1
            let bound = Int(number &* 7_919 % Workload.viewsEnd)
            let snapshot = try store.snapshot()
            let request = KeyedPost.where { $0.views < bound }
            let count = try snapshot.count(request)
            let some = try snapshot.fetch(request.limit(100))
            guard some.count == min(count, 100) else {
                throw BenchmarkError("a snapshot of \(count) posts gave \(some.count)")
            }
            // The writer's batches are whole ones: half a transaction would show here.
            let all = try snapshot.count(KeyedPost.all)
            guard all.isMultiple(of: Int(options.batch)) else { throw BenchmarkError("half a batch was seen: \(all) posts") }
        }
    }
}

/// Computes, and touches nothing that anybody else has.
struct BurningCompanion: CompanionKind {
    static let name = "burning"

    static func prepare(_ options: RunOptions) async throws -> () throws -> Void {
        var number: UInt64 = 1
        return {
            for _ in 0..<100_000 { number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
            guard number != 0 else { throw BenchmarkError("a number of this sequence is zero") }
        }
    }
}
