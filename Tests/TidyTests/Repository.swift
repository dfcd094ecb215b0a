import Foundation

/// The files of this repository.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every Swift file below the given folders of the root, by path.
    static func swiftFiles(in folders: [String] = ["Sources", "Tests", "Benchmarks", "Examples", "Fuzz"]) throws -> [SourceFile]
    {
        var files: [SourceFile] = []
        for folder in folders {
            guard let walk = FileManager.default.enumerator(atPath: root.appending(path: folder).path) else { continue }
            for case let inner as String in walk where inner.hasSuffix(".swift") && !inner.contains(".build/") {
                let path = "\(folder)/\(inner)"
                files.append(SourceFile(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8)))
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    /// The names of the folders in a folder of the root.
    static func folders(in folder: String) throws -> [String] {
        let url = root.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: [.isDirectoryKey])
            .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
            .map(\.lastPathComponent).sorted()
    }
}
