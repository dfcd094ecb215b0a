/// Paths as text: UTF-8, `/` between names.
package enum Path {
    /// The directory that holds `path`: `.` for a bare name, `/` for the root.
    package static func parent(of path: String) -> String {
        let bytes = path.utf8
        var end = bytes.endIndex
        func skip(while isSkipped: (UInt8) -> Bool) {
            while end > bytes.startIndex, isSkipped(bytes[bytes.index(before: end)]) { end = bytes.index(before: end) }
        }
        let slash = UInt8(ascii: "/")
        skip { $0 == slash }
        skip { $0 != slash }
        if end == bytes.startIndex { return bytes.first == slash ? "/" : "." }
        skip { $0 == slash }
        return end == bytes.startIndex ? "/" : String(path[..<end])
    }

    /// `name` in `directory`.
    package static func join(_ directory: String, _ name: String) -> String {
        directory.utf8.last == UInt8(ascii: "/") ? directory + name : directory + "/" + name
    }

    /// The names along `path`, without empty ones and `.`; `..` goes up, at most to the root.
    package static func names(of path: String) -> [String] {
        var names: [String] = []
        // By bytes: a slash and a combining mark behind it are one character.
        for part in path.utf8.split(separator: UInt8(ascii: "/")).map({ String(Substring($0)) }) where part != "." {
            if part == ".." { _ = names.popLast() } else { names.append(part) }
        }
        return names
    }
}
