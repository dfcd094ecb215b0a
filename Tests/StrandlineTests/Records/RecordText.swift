import Storage
import Strandline

/// What the log files of a store hold.
enum RecordText {
    /// All whole lines, file by file.
    static func lines(in directory: String, _ files: any FileSystem) throws -> [String] {
        try RecordFiles.names(in: directory, files).flatMap { name in
            let bytes = try files.readWhole(Path.join(directory, name), limit: 64 << 20)
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: "\n").map(String.init)
        }
    }
}
