/// Files are touched through `FileSystem` only; the system calls behind it stand in `Storage/POSIX`, or in a listed file.
enum SystemCallRule {
    static let calls: Set<String> = [
        "open", "openat", "read", "write", "pread", "pwrite", "fsync", "fdatasync", "ftruncate", "truncate", "rename",
        "renameat",
        "unlink", "mkdir", "rmdir", "mmap", "munmap", "fcntl", "flock", "fopen", "fread", "fwrite", "fclose", "opendir",
        "readdir",
    ]

    static func check(_ file: SourceFile, allowed: Set<String> = Allowed.systemCalls) -> [Violation] {
        guard file.isSource, !allowed.contains(file.path), !file.path.hasPrefix("Sources/Storage/POSIX/"), importsSystem(file)
        else { return [] }
        let own = Set(
            file.tokens.indices.dropFirst().filter { file.tokens[$0 - 1].text == "func" }.map { file.tokens[$0].text })
        return file.tokens.indices.compactMap { index in
            guard calls.contains(file.tokens[index].text), file.matches(["("], at: index + 1) else { return nil }
            if index > 0, file.tokens[index - 1].text == "func" { return nil }
            if index > 1, file.tokens[index - 1].text == "." {
                guard ["Glibc", "Darwin", "Musl"].contains(file.tokens[index - 2].text) else { return nil }
            } else if own.contains(file.tokens[index].text) {
                return nil
            }
            return file.violation(
                file.tokens[index].line, "go through FileSystem, or make the call \(file.tokens[index].text) in Storage/POSIX")
        }
    }

    /// Without the C library in sight, `read(` is a method of the type itself.
    private static func importsSystem(_ file: SourceFile) -> Bool {
        let modules: Set<String> = ["Glibc", "Darwin", "Musl"]
        return file.tokens.indices.contains { index in
            file.tokens[index].text == "import" && index + 1 < file.tokens.count
                && modules.contains(file.tokens[index + 1].text)
        }
    }
}
