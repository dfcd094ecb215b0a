import Generators
import Storage
import Strandline
import Testing

@Suite struct ConflictsGeneratorTests {
    /// Three replicas that edit the same objects agree in the end, lose no addition, and list the same conflicts.
    @Test func replicasAgree() async throws {
        try await withTemporaryDirectory { (directory: String) async throws in
            let paths = (0..<3).map { "\(directory)/\($0)" }
            let first = try await Store.open(.directory(paths[0]))
            var stores = [first]
            for path in paths.dropFirst() {
                var options = Store.Options()
                options.dataset = first.dataset
                stores.append(try await Store.open(.directory(path), options: options))
            }
            let generator = ConflictsGenerator(objects: 30, rounds: 3, seed: 5)
            let start = first.token
            try await generator.generate(into: stores) { stores in
                for path in paths.dropFirst() + paths.dropFirst() { try await stores[0].sync(with: .store(path: path)) }
            }
            for store in stores { try generator.verify(in: store, replicas: 3) }
            let digests = try stores.map { try $0.digest() }
            #expect(Set(digests).count == 1)
            var conflicts: [Int] = []
            for store in stores { conflicts.append(try await store.conflicts(since: start).count) }
            #expect(conflicts[0] >= 30 && Set(conflicts).count == 1)
            // What fewer replicas would have come to is not what is there.
            let error = #expect(throws: GeneratorError.self) { try generator.verify(in: first, replicas: 2) }
            #expect(error?.code == .mismatch)
            for store in stores { try await store.close() }
        }
    }
}
