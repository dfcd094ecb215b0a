import EventLog
import Interchange

/// What each stage of a scenario took.
struct ScenarioReport {
    struct Stage {
        let name: String
        /// Whose process it was; nil for this one's.
        let process: String?
        /// Bytes of pictures that it moved.
        let bytes: UInt64
        let figures: MeasuredProcess.Figures
        /// Whether the disk is what it waits for.
        let isBound: Bool

        var speed: Double { figures.seconds > 0 ? Double(bytes) / figures.seconds : 0 }
    }

    var objects: Int
    var pictures: Int
    var bytes: UInt64
    private(set) var stages: [Stage] = []
    private var bare: Double?

    init(objects: Int, pictures: Int, bytes: UInt64) {
        (self.objects, self.pictures, self.bytes) = (objects, pictures, bytes)
    }

    mutating func add(_ stage: Stage) { stages.append(stage) }

    mutating func addBareDisk(seconds: Double) {
        add(
            Stage(
                name: "bare disk", process: nil, bytes: bytes, figures: MeasuredProcess.Figures(seconds: seconds),
                isBound: false))
        bare = seconds > 0 ? Double(bytes) / seconds : nil
    }

    /// How much of the bare disk's speed a stage reaches.
    private func share(_ stage: Stage) -> Double? { stage.isBound ? bare.map { stage.speed / $0 } : nil }

    func forEachLine(_ body: (String) -> Void) {
        var table = TextTable(["stage", "process", "seconds", "MB/s", "of the disk", "MiB memory", "MiB resident"])
        for stage in stages {
            let memory = stage.process == nil ? nil : stage.figures
            let cells = [
                stage.name, stage.process ?? "", Self.fixed(stage.figures.seconds, 2), Self.fixed(stage.speed / 1e6, 0),
                share(stage).map { Self.fixed($0, 2) } ?? "", memory.map { Self.mebibytes($0.peakKiB) } ?? "",
                memory.map { Self.mebibytes($0.residentKiB) } ?? "",
            ]
            table.append(cells.map { .value(.string($0)) })
        }
        table.forEachLine(body)
    }

    private static func mebibytes(_ kibibytes: UInt64) -> String { fixed(Double(kibibytes) / 1_024, 1) }

    private static func fixed(_ number: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let whole = Int((number * scale).rounded())
        if digits == 0 { return "\(whole)" }
        let rest = "\(whole % Int(scale))"
        return "\(whole / Int(scale))." + String(repeating: "0", count: digits - rest.count) + rest
    }

    var json: JSONValue {
        .object([
            JSONMember("objects", .integer(Int64(objects))), JSONMember("blobs", .integer(Int64(pictures))),
            JSONMember("bytes", .integer(Int64(clamping: bytes))),
            JSONMember(
                "stages",
                .array(
                    stages.map { stage in
                        .object([
                            JSONMember("stage", .string(stage.name)),
                            JSONMember("process", stage.process.map { .string($0) } ?? .null),
                            JSONMember("seconds", .number(stage.figures.seconds)),
                            JSONMember("bytes", .integer(Int64(clamping: stage.bytes))),
                            JSONMember("bytesPerSecond", .number(stage.speed.rounded())),
                            JSONMember("ofBareDisk", share(stage).map { .number($0) } ?? .null),
                            JSONMember("peakMemoryKiB", .integer(Int64(clamping: stage.figures.peakKiB))),
                            JSONMember("peakResidentKiB", .integer(Int64(clamping: stage.figures.residentKiB))),
                        ])
                    })),
        ])
    }
}
