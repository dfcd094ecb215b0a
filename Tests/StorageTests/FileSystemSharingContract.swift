import Dispatch
import Storage
import Synchronization
import Testing

/// What every adapter of ``FileSystem`` keeps between handles and threads: locks, shared pages, watchers.
@Suite struct FileSystemSharingContract {
    @Test(arguments: Adapter.allCases) func locksBelongToHandles(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let first = try files.open(work + "/lock", .create)
            let second = try files.open(work + "/lock", .create)
            #expect(try first.tryLock())
            #expect(try first.tryLock(), "the holder holds it already")
            #expect(try !second.tryLock())
            try first.unlock()
            #expect(try second.tryLock())
            #expect(try !first.tryLock())
            try first.unlock()
            #expect(try !first.tryLock(), "nobody unlocks for another")
            second.close()
            #expect(try first.tryLock(), "a lock ends with its handle")
            let other = try files.open(work + "/other", .create)
            #expect(try other.tryLock(), "another file, another lock")
        }
    }

    @Test(arguments: Adapter.allCases) func lockWaits(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let total = Mutex(0)
            let inside = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                guard let file = try? files.open(work + "/lock", .create) else { return }
                for _ in 0..<200 {
                    guard (try? file.lock()) != nil else { return }
                    let isAlone = inside.withLock { inside in
                        inside += 1
                        return inside == 1
                    }
                    total.withLock { $0 += isAlone ? 1 : 0 }
                    inside.withLock { $0 -= 1 }
                    guard (try? file.unlock()) != nil else { return }
                }
            }
            #expect(total.withLock { $0 } == 800)
        }
    }

    @Test(arguments: Adapter.allCases) func sharedPagesAreShared(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let first = try files.sharedPage(work + "/page", words: 8)
            #expect(first.words == 8)
            #expect((0..<8).allSatisfy { first.load($0) == 0 })
            #expect(try files.attributes(of: work + "/page")?.size == 64)
            first.store(7, at: 3)
            #expect(first.add(5, at: 3) == 12)
            let second = try files.sharedPage(work + "/page", words: 16)
            #expect(second.load(3) == 12 && second.load(15) == 0)
            second.store(.max, at: 0)
            #expect(first.load(0) == .max)
            #expect(first.add(2, at: 0) == 1, "addition wraps")
            #expect(try files.attributes(of: work + "/page")?.size == 128)
            DispatchQueue.concurrentPerform(iterations: 4) { _ in for _ in 0..<1_000 { first.add(1, at: 7) } }
            #expect(second.load(7) == 4_000)
            try files.remove(work + "/page")
            #expect(try files.sharedPage(work + "/page", words: 8).load(7) == 0)
            #expect(first.load(7) == 4_000, "a mapping outlives its name")
        }
    }

    @Test(arguments: Adapter.allCases) func sharedPagesLastWithoutAMapping(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            try files.sharedPage(work + "/page", words: 4).store(42, at: 1)
            #expect(try files.sharedPage(work + "/page", words: 4).load(1) == 42)
        }
    }

    @Test(arguments: Adapter.allCases) func watchersWake(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            #expect(code { _ = try files.watch(work + "/missing") } == .notFound)
            let watcher = try files.watch(work)
            #expect(!watcher.wait(milliseconds: 0))
            let file = try files.open(work + "/a", .create)
            #expect(watcher.wait(milliseconds: 10_000), "a new name")
            try file.write([1].span, at: 0)
            #expect(watcher.wait(milliseconds: 10_000), "a write")
            try files.rename(work + "/a", to: work + "/b")
            #expect(watcher.wait(milliseconds: 10_000), "a rename")
            try files.remove(work + "/b")
            #expect(watcher.wait(milliseconds: 10_000), "a removal")
            #expect(!watcher.wait(milliseconds: 5))
        }
    }

    @Test(arguments: Adapter.allCases) func watchersWakeAnotherThread(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let watcher = try files.watch(work)
            let answers = Mutex<[Bool]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                if index == 0 {
                    answers.withLock { $0.append(watcher.wait(milliseconds: 20_000)) }
                } else {
                    _ = try? files.open(work + "/a", .create)
                }
            }
            #expect(answers.withLock { $0 } == [true])
        }
    }

    @Test(arguments: Adapter.allCases) func cancelledWatchersReturn(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let watcher = try files.watch(work)
            let answers = Mutex<[Bool]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                if index == 0 {
                    answers.withLock { $0.append(watcher.wait(milliseconds: 20_000)) }
                } else {
                    watcher.cancel()
                }
            }
            #expect(answers.withLock { $0 } == [false])
            _ = try files.open(work + "/a", .create)
            #expect(!watcher.wait(milliseconds: 20_000))
        }
    }

    @Test(arguments: Adapter.allCases) func pollingSeesWhatWatchersSee(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let watcher = try PollingWatcher(fileSystem: files, directory: work)
            #expect(!watcher.wait(milliseconds: 0))
            let file = try files.open(work + "/a", .create)
            #expect(watcher.wait(milliseconds: 10_000))
            try file.write([1].span, at: 0)
            #expect(watcher.wait(milliseconds: 10_000))
            #expect(!watcher.wait(milliseconds: 5))
            watcher.cancel()
            #expect(!watcher.wait(milliseconds: 20_000))
        }
    }

    @Test(arguments: Adapter.allCases) func closingUnderReadersIsSafe(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            for round in 0..<50 {
                let file = try files.open(work + "/\(round)", .create)
                try file.write(patternBytes(1_000).span, at: 0)
                let wrong = Mutex(0)
                DispatchQueue.concurrentPerform(iterations: 4) { index in
                    if index == 3 { return file.close() }
                    for _ in 0..<50 {
                        guard let bytes = try? file.readBytes(1_000) else { return }
                        if bytes != patternBytes(1_000) { wrong.withLock { $0 += 1 } }
                    }
                }
                #expect(wrong.withLock { $0 } == 0)
                #expect(code { _ = try file.size() } == .closed)
            }
        }
    }
}
