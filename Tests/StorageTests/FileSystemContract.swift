import Storage
import Testing

/// What every adapter of ``FileSystem`` keeps, whatever holds its bytes.
@Suite struct FileSystemContract {
    @Test(arguments: Adapter.allCases) func openModes(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let path = work + "/a"
            #expect(code { _ = try files.open(path, .read) } == .notFound)
            #expect(code { _ = try files.open(path, .readWrite) } == .notFound)
            try files.open(path, .createNew).close()
            #expect(code { _ = try files.open(path, .createNew) } == .alreadyExists)
            #expect(code { _ = try files.open(path, .createPrivate) } == .alreadyExists)
            let secret = try files.open(work + "/secret", .createPrivate)
            try secret.write([7].span, at: 0)
            #expect(try files.open(work + "/secret", .read).readBytes(10) == [7])
            let file = try files.open(path, .create)
            try file.write(patternBytes(10).span, at: 0)
            #expect(try files.open(path, .readWrite).size() == 10)
            #expect(try files.open(path, .create).size() == 10, "create keeps what is there")
            #expect(file.path == path)
            for mode in [OpenMode.read, .readWrite, .create] {
                #expect(code { _ = try files.open(work, mode) } == .isDirectory)
            }
            #expect(code { _ = try files.open(path + "/b", .create) } == .notDirectory)
            #expect(code { _ = try files.open(work + "/missing/b", .create) } == .notFound)
        }
    }

    @Test(arguments: Adapter.allCases) func readsAndWritesAtOffsets(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let file = try files.open(work + "/a", .create)
            let bytes = patternBytes(100_000)
            try file.write(bytes.span, at: 5)
            #expect(try file.size() == 100_005)
            #expect(try file.readBytes(5) == [0, 0, 0, 0, 0], "a gap reads as zeros")
            #expect(try file.readBytes(100_000, at: 5) == bytes)
            #expect(try file.readBytes(50, at: 100_000) == Array(bytes.suffix(5)), "short only at the end")
            #expect(try file.readBytes(50, at: 100_005) == [])
            #expect(try file.readBytes(50, at: 1 << 40) == [])
            try file.write(patternBytes(3).span, at: 50_000)
            #expect(try file.readBytes(5, at: 49_999) == [bytes[49_994], 3, 10, 17, bytes[49_998]])
            try file.write([UInt8]().span, at: 1 << 40)
            #expect(try file.size() == 100_005, "an empty write changes nothing")
            try file.sync()
            file.dropCache()
            #expect(try file.readBytes(100_000, at: 5).prefix(49_000) == bytes.prefix(49_000))
        }
    }

    @Test(arguments: Adapter.allCases) func truncates(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let file = try files.open(work + "/a", .create)
            try file.write(patternBytes(40_000).span, at: 0)
            try file.truncate(to: 20_000)
            #expect(try file.size() == 20_000)
            try file.truncate(to: 40_000)
            let zeros = [UInt8](repeating: 0, count: 20_000)
            #expect(try file.readBytes(30_000, at: 15_000) == patternBytes(20_000)[15_000...] + zeros)
            try file.truncate(to: 0)
            #expect(try file.readBytes(10) == [])
        }
    }

    @Test(arguments: Adapter.allCases) func refusesOffsetsNoFileCanHave(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let file = try files.open(work + "/a", .create)
            #expect(code { try file.write([1, 2].span, at: .max) } == .fileTooLarge)
            #expect(code { try file.truncate(to: .max) } == .fileTooLarge)
            #expect(try file.size() == 0)
        }
    }

    @Test(arguments: Adapter.allCases) func listsByBytes(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            for name in ["b", "a", "Z", "é", "a.tmp", ".hidden"] { try files.open(work + "/" + name, .createNew).close() }
            try files.createDirectory(work + "/dir")
            #expect(try files.list(work) == [".hidden", "Z", "a", "a.tmp", "b", "dir", "é"])
            #expect(try files.list(work + "//./dir/") == [])
            #expect(code { _ = try files.list(work + "/missing") } == .notFound)
            #expect(code { _ = try files.list(work + "/a") } == .notDirectory)
        }
    }

    @Test(arguments: Adapter.allCases) func directories(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let path = work + "/dir"
            try files.createDirectory(path)
            try files.createDirectory(path)
            #expect(code { try files.createDirectory(work + "/missing/dir") } == .notFound)
            try files.open(path + "/a", .create).close()
            #expect(code { try files.createDirectory(path + "/a") } == .alreadyExists)
            #expect(code { try files.removeDirectory(path) } == .directoryNotEmpty)
            #expect(code { try files.removeDirectory(path + "/a") } == .notDirectory)
            #expect(code { try files.remove(path) } == .isDirectory)
            try files.remove(path + "/a")
            #expect(code { try files.remove(path + "/a") } == .notFound)
            try files.syncDirectory(path)
            #expect(code { try files.syncDirectory(work + "/missing") } == .notFound)
            try files.removeDirectory(path)
            #expect(code { try files.removeDirectory(path) } == .notFound)
            #expect(try files.list(work) == [])
        }
    }

    @Test(arguments: Adapter.allCases) func renames(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let a = work + "/a"
            let b = work + "/b"
            try files.open(a, .create).write([1].span, at: 0)
            let replaced = try files.open(b, .create)
            try replaced.write([2].span, at: 0)
            try files.rename(a, to: b)
            #expect(try files.list(work) == ["b"])
            #expect(try files.open(b, .read).readBytes(2) == [1])
            #expect(try replaced.readBytes(2) == [2], "a handle keeps the replaced file")
            #expect(code { try files.rename(a, to: b) } == .notFound)
            try files.rename(b, to: b)
            try files.createDirectory(work + "/dir")
            try files.rename(b, to: work + "/dir/c")
            #expect(code { try files.rename(work + "/dir/c", to: work + "/missing/c") } == .notFound)
            try files.createDirectory(work + "/empty")
            #expect(code { try files.rename(work + "/dir/c", to: work + "/empty") } == .isDirectory)
            try files.rename(work + "/dir", to: work + "/moved")
            #expect(try files.list(work + "/moved") == ["c"])
            #expect(code { try files.rename(work + "/moved", to: work + "/moved/inside") } == .other)
            try files.createDirectory(work + "/full")
            try files.open(work + "/full/x", .create).close()
            #expect(code { try files.rename(work + "/moved", to: work + "/full") } == .directoryNotEmpty)
            #expect(code { try files.rename(work + "/moved", to: work + "/full/x") } == .notDirectory)
        }
    }

    @Test(arguments: Adapter.allCases) func removedFilesLiveOnInTheirHandles(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let file = try files.open(work + "/a", .create)
            try file.write([1, 2, 3].span, at: 0)
            try files.remove(work + "/a")
            #expect(try files.list(work) == [])
            #expect(try file.readBytes(3) == [1, 2, 3])
            try file.write([9].span, at: 1)
            #expect(try file.readBytes(3) == [1, 9, 3])
            #expect(try files.open(work + "/a", .createNew).size() == 0, "a new file under the old name is another one")
            #expect(try file.size() == 3)
        }
    }

    @Test(arguments: Adapter.allCases) func handlesForReadingRefuseChanges(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            try files.replace(work + "/a", with: [1])
            let file = try files.open(work + "/a", .read)
            #expect(code { try file.write([2].span, at: 0) } == .permissionDenied)
            #expect(code { try file.truncate(to: 0) } == .permissionDenied)
            #expect(try file.readBytes(9) == [1])
            try file.sync()
            #expect(try file.tryLock())
        }
    }

    @Test(arguments: Adapter.allCases) func closedHandlesRefuse(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let file = try files.open(work + "/a", .create)
            file.close()
            file.close()
            #expect(code { _ = try file.size() } == .closed)
            #expect(code { _ = try file.readBytes(1) } == .closed)
            #expect(code { try file.write([1].span, at: 0) } == .closed)
            #expect(code { try file.truncate(to: 1) } == .closed)
            #expect(code { try file.sync() } == .closed)
            #expect(code { _ = try file.tryLock() } == .closed)
            #expect(code { try file.unlock() } == .closed)
            file.dropCache()
        }
    }

    @Test(arguments: Adapter.allCases) func attributesIdentify(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            #expect(try files.attributes(of: work + "/a") == nil)
            let file = try files.open(work + "/a", .create)
            try file.write([1, 2, 3].span, at: 0)
            let first = try #require(try files.attributes(of: work + "/a"))
            #expect(first.size == 3 && !first.isDirectory)
            #expect(try files.attributes(of: work)?.isDirectory == true)
            try files.rename(work + "/a", to: work + "/b")
            let moved = try #require(try files.attributes(of: work + "/b"))
            #expect(moved.inode == first.inode && moved.birth == first.birth && moved.fileSystem == first.fileSystem)
            let other = try files.open(work + "/a", .create)
            #expect(try files.attributes(of: work + "/a")?.inode != first.inode)
            #expect(code { _ = try files.attributes(of: work + "/b/c") } == .notDirectory)
            withExtendedLifetime((file, other)) {}
        }
    }

    @Test(arguments: Adapter.allCases) func refusesPathsThatWouldBeCutShort(_ adapter: Adapter) throws {
        try adapter.run { (files, work) throws in
            #expect(code { _ = try files.open(work + "/a\0b", .create) } == .invalidPath)
            #expect(code { _ = try files.open("", .create) } == .invalidPath)
            #expect(code { try files.rename(work + "/a", to: work + "/\0") } != nil)
            #expect(try files.list(work) == [])
        }
    }

    @Test(arguments: Adapter.allCases) func errorsNameThePath(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let error = #expect(throws: StorageError.self) { _ = try files.open(work + "/missing", .read) }
            #expect(error?.path == work + "/missing")
            #expect(error?.description.contains("cannot open \(work)/missing: it does not exist") == true)
        }
    }
}
