import EventLog
import Storage
import Strandline
import Testing

@Suite struct StoreErrorTests {
    /// What a floor below throws comes out as the store's own error, with the file concerned.
    @Test func errorsOfTheFileSystemAreTheStores() throws {
        let full = StorageError(.diskFull, "write 10 bytes to", path: "/store/runs/1.run", offset: 7, errno: 28)
        for thrown: any Error in [full, LogError(full)] {
            let error = try #require(#expect(throws: StoreError.self) { try StoreError.wrap { throw thrown } })
            #expect(error.code == .storage && !error.isRetryable)
            #expect(error.description == full.description)
            #expect(error.underlying?.path == "/store/runs/1.run" && error.underlying?.offset == 7)
        }
    }

    @Test func errorsOfTheFileSystemOnOtherThreadsAreTheStores() async throws {
        let error = await #expect(throws: StoreError.self) {
            try await BackgroundQueue().run { throw StorageError(.tooManyOpenFiles, "open", path: "/store/LOCK") }
        }
        #expect(error?.code == .storage && error?.isRetryable == true)
    }

    @Test func onlyWhatMaySucceedByItselfIsRetryable() {
        #expect(StoreError(.busy, "somebody else is in the way").isRetryable)
        #expect(!StoreError(.storage, "the disk is full").isRetryable)
        #expect(StoreError(LogError(StorageError(.locked, "lock", path: "/store/LOCK"))).isRetryable)
    }

    /// What is no error of a floor below is the caller's own.
    @Test func otherErrorsStayAsTheyAre() {
        struct Refusal: Error, Equatable {}
        #expect(throws: Refusal()) { try StoreError.wrap { throw Refusal() } }
    }
}
