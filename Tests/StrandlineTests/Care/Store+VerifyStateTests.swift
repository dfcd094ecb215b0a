import SampleModel
import Storage
import Strandline
import Synchronization
import Testing

@Suite struct StoreVerifyStateTests {
    private final class Course: Sendable {
        let ends = Atomic(false)
        let written = Atomic(0)
    }

    /// Somebody who writes all the time keeps nobody from comparing.
    @Test(.timeLimit(.minutes(5))) func aSteadyWriterDoesNotHoldItUp() async throws {
        let store = try await Store.open(
            .environment("/store", .inMemory()), Post.self, Attachment.self, ImageData.self,
            options: LiveStateRunsTests.options())
        try await store.write { tx in for number in 0..<200 { _ = try tx.insert(Post(title: "\(number)", views: number)) } }
        let course = Course()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !course.ends.load(ordering: .relaxed) {
                    try await store.write { tx in _ = try tx.insert(Post(title: "more")) }
                    course.written.add(1, ordering: .relaxed)
                }
            }
            for round in 0..<2 {
                let before = course.written.load(ordering: .relaxed)
                while course.written.load(ordering: .relaxed) == before { await Task.yield() }
                let found = try await store.verifyState()
                #expect(found.isSound, "round \(round)")
            }
            course.ends.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        let found = try await store.verifyState()
        #expect(try found.isSound && found.digest == store.digest())
        try await store.close()
    }
}
