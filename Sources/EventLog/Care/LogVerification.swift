/// What ``EventLog/verify(at:in:progress:)`` found.
///
/// A *problem* is damage: something that was durable is not there, or not as it was. A *note* is worth knowing and costs nothing:
/// leftovers, an end that was not closed, a padding byte that is not zero, something that needs a newer version.
package struct LogVerification: Sendable, Equatable {
    /// One thing found, and where.
    package struct Finding: Sendable, Equatable, CustomStringConvertible {
        package var path: String
        package var offset: UInt64?
        /// What is wrong or remarkable.
        package var what: String
        /// What to do about it.
        package var remedy: String

        package var description: String {
            "\(what); \(remedy) (\(path)" + (offset.map { ", offset \($0)" } ?? "") + ")"
        }
    }

    /// How many problems, and how many notes, are kept; all are counted.
    package static let most = 1000

    package internal(set) var segments = 0
    /// Valid frames, those of stage files included.
    package internal(set) var frames = 0
    package internal(set) var transactions = 0
    package internal(set) var changes = 0
    /// Stage files that transactions refer to.
    package internal(set) var stages = 0
    /// Blobs that are here, whole or not.
    package internal(set) var blobs = 0
    /// References to blobs that are not here, about: one that is named again much later counts again.
    package internal(set) var blobsElsewhere = 0
    /// Bytes read and checked.
    package internal(set) var bytes: UInt64 = 0
    /// The last transaction that was checked.
    package internal(set) var lastLSN: UInt64 = 0

    /// The first ``most``, in the order in which they were found.
    package private(set) var problems: [Finding] = []
    package private(set) var problemCount = 0
    package private(set) var notes: [Finding] = []
    package private(set) var noteCount = 0

    /// Whether everything that matters is as it was written.
    package var isSound: Bool { problemCount == 0 }

    mutating func add(problem: Finding) {
        problemCount += 1
        if problems.count < Self.most { problems.append(problem) }
    }

    mutating func add(note: Finding) {
        noteCount += 1
        if notes.count < Self.most { notes.append(note) }
    }
}
