import Storage
import Strandline

/// What the disk does when nobody stands between: files of pictures' size, each written and synced.
enum BareDisk {
    /// Writes so many bytes and removes them again; the seconds that it took.
    static func write(_ bytes: UInt64, fileBytes: UInt64, in directory: String) throws -> Double {
        let files = POSIXFileSystem()
        try files.createDirectories(directory)
        defer { try? files.removeTree(directory) }
        // Noise, so that no layer below makes it less.
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        var state: UInt64 = 88_172_645_463_325_252
        for place in piece.indices {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            piece[place] = UInt8(truncatingIfNeeded: state)
        }
        let clock = Environment.system.clock
        let began = clock.monotonic()
        var left = bytes
        var number = 0
        while left > 0 {
            let file = try files.open("\(directory)/\(number)", .createNew)
            defer { file.close() }
            let size = min(left, max(1, fileBytes))
            var offset: UInt64 = 0
            while offset < size {
                let count = Int(min(UInt64(piece.count), size - offset))
                piece[0] &+= 1
                try file.write(piece.span.extracting(..<count), at: offset)
                offset += UInt64(count)
            }
            try file.sync()
            left -= size
            number += 1
        }
        return Double(clock.monotonic() - began) / 1e9
    }
}
