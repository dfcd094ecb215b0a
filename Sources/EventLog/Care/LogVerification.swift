/// What a verification of a store found.
///
/// A *problem* is damage: something that was durable is not there, or not as it was. A *note* is worth knowing and costs nothing:
/// leftovers, an end that was not closed, a padding byte that is not zero, something that needs a newer version.
public struct LogVerification: Sendable, Equatable {
    /// One thing found, and where.
    public struct Finding: Sendable, Equatable, CustomStringConvertible {
        public var path: String
        public var offset: UInt64?
        /// What is wrong or remarkable.
        public var what: String
        /// What to do about it.
        public var remedy: String

        public var description: String {
            "\(what); \(remedy) (\(path)" + (offset.map { ", offset \($0)" } ?? "") + ")"
        }
    }

    /// How many problems, and how many notes, are kept; all are counted.
    public static let most = 1000

    public internal(set) var segments = 0
    /// Valid frames, those of stage files included.
    public internal(set) var frames = 0
    public internal(set) var transactions = 0
    public internal(set) var changes = 0
    /// Stage files that transactions refer to.
    public internal(set) var stages = 0
    /// Baselines that stand for what is no longer in the log.
    public internal(set) var baselines = 0
    /// Blobs that are here, whole or not.
    public internal(set) var blobs = 0
    /// References to blobs that are not here, about: one that is named again much later counts again.
    public internal(set) var blobsElsewhere = 0
    /// Blobs that are here and that nothing names, and their bytes; counted only where all that might name one could be read.
    public internal(set) var orphans = 0
    public internal(set) var orphanBytes: UInt64 = 0
    /// Bytes read and checked.
    public internal(set) var bytes: UInt64 = 0
    /// The last transaction that was checked.
    public internal(set) var lastLSN: UInt64 = 0

    /// The first ``most``, in the order in which they were found.
    public private(set) var problems: [Finding] = []
    public private(set) var problemCount = 0
    public private(set) var notes: [Finding] = []
    public private(set) var noteCount = 0

    /// Whether everything that matters is as it was written.
    public var isSound: Bool { problemCount == 0 }

    mutating func add(problem: Finding) {
        problemCount += 1
        if problems.count < Self.most { problems.append(problem) }
    }

    mutating func add(note: Finding) {
        noteCount += 1
        if notes.count < Self.most { notes.append(note) }
    }
}
