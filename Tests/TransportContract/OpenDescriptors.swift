import Foundation

/// The descriptors of this process.
package enum OpenDescriptors {
    /// How many there are, whoever opened them.
    package static func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder).count
    }

    #if os(Linux)
    private static let folder = "/proc/self/fd"
    #else
    private static let folder = "/dev/fd"
    #endif
}
