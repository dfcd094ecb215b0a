import Foundation
import Generators
import Storage
import Strandline

/// A large data set from its making to its check in another replica, each stage in a process of its own.
struct Scenario {
    /// How the two replicas meet.
    enum Way: String, CaseIterable, ArgumentValue {
        case folder, unix
    }

    let directory: String
    let way: Way
    /// What `generate` is told, without the store.
    let arguments: [String]
    let total: GenerationSummary
    let terminal: Terminal

    private var exporter: String { directory + "/exporter" }
    private var importer: String { directory + "/importer" }

    /// Bytes that the scenario takes at most at one time: each picture in each replica, and in the folder.
    var bytesNeeded: UInt64 { total.bytes * (way == .folder ? 3 : 2) + total.bytes / 50 + (64 << 20) }

    /// - Throws: ``CommandError`` when the disk has no room for it.
    func checkRoom() throws {
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: directory)
        guard let free = (attributes[.systemFreeSize] as? NSNumber)?.uint64Value, free < bytesNeeded else { return }
        throw CommandError.failed(
            "the scenario needs \(ProgressLine.bytes(bytesNeeded)) (\(bytesNeeded) bytes) in \(directory), where \(ProgressLine.bytes(free)) are free; choose another directory, or a smaller scale"
        )
    }

    func run() throws -> ScenarioReport {
        var report = ScenarioReport(objects: total.objects, pictures: total.blobs, bytes: total.bytes)
        terminal.say("bare disk: \(ProgressLine.bytes(total.bytes)) written and synced")
        let fileBytes = total.blobs > 0 ? total.bytes / UInt64(total.blobs) : total.bytes
        report.addBareDisk(seconds: try BareDisk.write(total.bytes, fileBytes: fileBytes, in: directory + "/bare"))
        try stage("generate", "exporter", isBound: true, ["generate", exporter] + arguments, &report)
        let token = try MeasuredProcess.run(["token", exporter]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try MeasuredProcess.run(["create", importer, "--join", token])
        switch way {
        case .folder:
            let folder = "folder:\(directory)/folder"
            try FileManager.default.createDirectory(atPath: directory + "/folder", withIntermediateDirectories: true)
            try stage("export", "exporter", isBound: true, ["sync", exporter, folder], &report)
            try stage("import", "importer", isBound: true, ["sync", importer, folder], &report)
        case .unix:
            let address = "unix:\(directory)/socket"
            terminal.say("export and import: serve, sync")
            let server = try MeasuredProcess(["serve", exporter, "--listen", address])
            try server.await(directory + "/socket")
            let imported = try MeasuredProcess.run(["sync", importer, address])
            server.terminate()
            let exported = try server.result(isEnded: true)
            report.add(
                ScenarioReport.Stage(name: "export", process: "exporter", bytes: total.bytes, figures: exported, isBound: false)
            )
            report.add(
                ScenarioReport.Stage(name: "import", process: "importer", bytes: total.bytes, figures: imported, isBound: true))
        }
        try stage("verify", "exporter", isBound: false, ["generate", exporter, "--check"] + arguments, &report)
        try stage("verify", "importer", isBound: false, ["generate", importer, "--check"] + arguments, &report)
        let digests = try [exporter, importer].map { try MeasuredProcess.run(["digest", $0]).output }
        guard digests[0] == digests[1] else {
            throw CommandError.failed(
                "both replicas have all pictures, and their digests differ: verify both stores in \(directory)")
        }
        return report
    }

    private func stage(
        _ name: String, _ process: String, isBound: Bool, _ arguments: [String], _ report: inout ScenarioReport
    ) throws {
        terminal.say("\(name): \(arguments[0])")
        let figures = try MeasuredProcess.run(arguments)
        report.add(ScenarioReport.Stage(name: name, process: process, bytes: total.bytes, figures: figures, isBound: isBound))
    }
}
