import Simulation
import Storage
import Testing

@Suite struct FileSystemDurableTests {
    @Test(arguments: Adapter.allCases) func replacesReadsAndCopies(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            let path = work + "/a"
            try files.replace(path, with: [1, 2, 3])
            try files.replace(path, with: [4])
            try files.open(path + ".tmp", .create).write([9, 9].span, at: 0)
            try files.replace(path, with: [5, 6])
            #expect(try files.list(work) == ["a"])
            #expect(try files.readWhole(path, limit: 2) == [5, 6])
            #expect(code { _ = try files.readWhole(path, limit: 1) } == .malformed)
            #expect(code { _ = try files.readWhole(work + "/b", limit: 1) } == .notFound)

            let big = patternBytes(2_500_000)
            try files.replace(path, with: big)
            try files.copy(path, to: work + "/b")
            #expect(try files.readWhole(work + "/b", limit: 3_000_000) == big)
            #expect(code { try files.copy(path, to: work + "/b") } == .alreadyExists)
            #expect(try files.readWhole(work + "/b", limit: 3_000_000).count == big.count, "a refused copy touches nothing")
        }
    }

    @Test(arguments: Adapter.allCases) func createsAndRemovesTrees(_ adapter: Adapter) throws {
        try adapter.run { files, work in
            try files.createDirectories(work + "/x/y/z")
            try files.createDirectories(work + "/x/y/z/")
            try files.replace(work + "/x/y/f", with: [1])
            #expect(code { try files.createDirectories(work + "/x/y/f") } == .notDirectory)
            for path in ["/x/y/z", "/x/y/z/", "/x/./y"] { #expect(try files.isDirectory(work + path)) }
            for path in ["/x/y/f", "/x/y/f/g", "/x/missing", "/x/missing/z"] { #expect(try !files.isDirectory(work + path)) }
            try files.removeTree(work + "/x")
            try files.removeTree(work + "/x")
            #expect(try files.list(work) == [])
        }
    }

    @Test func replaceSurvivesEveryPowerCut() throws {
        let old = patternBytes(1_500)
        let new = Array(patternBytes(3_000).reversed())
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: old)
        var isAcknowledged = false
        let verified = try forEachPowerCut(from: disk) { disk in
            isAcknowledged = false
            try disk.replace("/a", with: new)
            isAcknowledged = true
        } verify: { image, cut in
            let found = try image.readWhole("/a", limit: 10_000)
            #expect(found == new || (found == old && !isAcknowledged), "\(cut)")
            try image.replace("/a", with: [1])
            #expect(try image.list("/") == ["a"], "\(cut)")
        }
        #expect(verified > 30)
    }

    @Test func replaceSurvivesEveryFailure() throws {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: [1])
        var isAcknowledged = false
        let tried = try forEachFailure(from: disk) { disk in
            isAcknowledged = false
            try disk.replace("/a", with: [2, 2])
            isAcknowledged = true
        } verify: { disk, fault in
            for image in [disk, disk.crash(keeping: .none), disk.crash(keeping: .all)] {
                let found = try image.readWhole("/a", limit: 10)
                #expect(found == [2, 2] || (found == [1] && !isAcknowledged), "\(fault)")
            }
            try disk.replace("/a", with: [3])
            #expect(try disk.crash(keeping: .none).readWhole("/a", limit: 10) == [3], "\(fault)")
        }
        #expect(tried > 15)
    }

    @Test func createdDirectoriesAreDurable() throws {
        let disk = SimulatedFileSystem()
        try disk.createDirectories("/x/y")
        #expect(try disk.crash(keeping: .none).list("/x") == ["y"])
    }
}
