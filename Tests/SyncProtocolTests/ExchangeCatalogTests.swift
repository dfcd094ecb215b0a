import EventLog
import Foundation
import Glibc
import Simulation
import Storage
import SyncProtocol
import Testing

/// A shared folder may hold anything, put there by anybody.
@Suite struct ExchangeCatalogTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "f-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    /// Links, pipes, directories and lies under the names of files: left alone, with the reason where they end as ours do.
    @Test func whatIsNoFileIsLeftAlone() throws {
        try withFolder { folder in
            let files = POSIXFileSystem()
            let a = try TestReplica(1, over: files, at: folder)
            try a.write()
            try a.sync()
            let replicas = "\(folder)/\(a.log.dataset)/r"
            let own = "\(replicas)/\(a.log.replica)"
            let name = try #require(try files.list(own).first { $0.hasSuffix(".strdx") })
            let foreign = "\(replicas)/\(String(repeating: "ab", count: 16))"
            try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
            let other = name.replacing("-0000000000000001-0000000000000001-", with: "-0000000000000002-0000000000000002-")
            let secret = folder + "/secret"
            #expect(FileManager.default.createFile(atPath: secret, contents: Data("secret".utf8)))
            try FileManager.default.createSymbolicLink(atPath: "\(foreign)/\(other)", withDestinationPath: secret)
            try FileManager.default.createDirectory(atPath: "\(foreign)/x \(name)", withIntermediateDirectories: false)
            try FileManager.default.createDirectory(
                atPath: "\(foreign)/0000000000000001.strdk", withIntermediateDirectories: false)
            #expect(unsafe mkfifo("\(foreign)/pipe.strdx", 0o600) == 0)
            #expect(unsafe mkfifo("\(foreign)/0000000000000002.strdk", 0o600) == 0)
            try FileManager.default.createSymbolicLink(
                atPath: "\(replicas)/\(String(repeating: "cd", count: 16))", withDestinationPath: own)
            try Data("x".utf8).write(to: URL(filePath: "\(foreign)/bell\u{7}\u{1b}[31m.strdx"))
            try Data("x".utf8).write(to: URL(filePath: "\(foreign)/" + String(repeating: "n", count: 240) + ".strdx"))
            try Data("x".utf8).write(to: URL(filePath: "\(replicas)/..%2f..%2fetc"))

            let b = try TestReplica(2, joining: a.log.dataset, over: files, at: folder)
            let report = try b.sync()
            #expect(report.imported.transactions == 1)
            #expect(report.skipped.count == 3 && report.skipped.allSatisfy { $0.path.hasPrefix(foreign) })
            #expect(try b.contents() == a.contents())
            #expect(try String(contentsOfFile: secret, encoding: .utf8) == "secret")
        }
    }

    /// Through a link in the place of its own subfolder a replica writes nothing.
    @Test func nothingIsWrittenThroughALink() throws {
        try withFolder { folder in
            let a = try TestReplica(1, over: POSIXFileSystem(), at: folder)
            try a.write()
            let (target, replicas) = (folder + "/elsewhere", "\(folder)/\(a.log.dataset)/r")
            for path in [target, replicas] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(atPath: "\(replicas)/\(a.log.replica)", withDestinationPath: target)
            let error = #expect(throws: SyncError.self) { try a.sync() }
            #expect(error?.code == .folder && error?.message.contains("\(replicas)/\(a.log.replica)") ?? false)
            #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
        }
    }

    /// Copies that programs make when two sides seem to have changed a file, of every kind of file.
    @Test(arguments: [" (Ann's conflicted copy 2026-12-01)", ".sync-conflict-20261201-101010-ABCDEFG", " (1)"])
    func conflictCopiesChangeNothing(mark: String) throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        try a.write()
        try LogTrim.trim(a.log)
        try a.write()
        try a.sync()
        for suffix in [".strdx", ".strdk", ".strdb", ".strdp"] {
            for path in try disk.exchangeFiles(a.log.dataset, endingIn: suffix) {
                try disk.put(try disk.contents(of: path), at: path.dropLast(6) + mark + suffix)
            }
        }
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        let report = try b.sync()
        #expect(report.skipped.isEmpty && report.imported.baselines == 1 && report.imported.transactions == 1)
        #expect(a.names() == b.names())
        #expect(try a.sync().isQuiet)
        #expect(try b.sync().isQuiet)
    }

    /// A renamed original is a copy without it: what is missing is published again.
    @Test func whatLostItsNameIsPublishedAgain() throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        try a.write()
        try LogTrim.trim(a.log)
        try a.sync()
        let piece = try #require(try disk.exchangeFiles(a.log.dataset, endingIn: ".strdp").first)
        try disk.rename(piece, to: piece.dropLast(6) + " 2.strdp")
        #expect(try a.sync().published.baselines == 1)
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        try b.sync()
        #expect(a.names() == b.names())
    }
}
