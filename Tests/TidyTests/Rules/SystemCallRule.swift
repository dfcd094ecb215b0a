/// Files are touched through `FileSystem` only; the system calls behind it stand in files named `Posix…`, or listed.
enum SystemCallRule {
    static let calls: Set<String> = [
        "open", "openat", "read", "write", "pread", "pwrite", "fsync", "fdatasync", "ftruncate", "truncate", "rename",
        "renameat",
        "unlink", "mkdir", "rmdir", "mmap", "munmap", "fcntl", "flock", "fopen", "fread", "fwrite", "fclose", "opendir",
        "readdir",
    ]

    static func check(_ file: SourceFile, allowed: Set<String> = Allowed.systemCalls) -> [Violation] {
        guard file.isSource, !allowed.contains(file.path), !file.name.hasPrefix("Posix"), importsSystem(file) else { return [] }
        return file.tokens.indices.compactMap { index in
            guard calls.contains(file.tokens[index].text), file.matches(["("], at: index + 1) else { return nil }
            if index > 0, file.tokens[index - 1].text == "func" { return nil }
            if index > 1, file.tokens[index - 1].text == "." {
                guard ["Glibc", "Darwin", "Musl"].contains(file.tokens[index - 2].text) else { return nil }
            }
            return file.violation(
                file.tokens[index].line, "go through FileSystem, or make the call \(file.tokens[index].text) in a Posix… file")
        }
    }

    /// Without the C library in sight, `read(` is a method of the type itself.
    private static func importsSystem(_ file: SourceFile) -> Bool {
        let modules: Set<String> = ["Glibc", "Darwin", "Musl", "Foundation"]
        return file.tokens.indices.contains { index in
            file.tokens[index].text == "import" && index + 1 < file.tokens.count
                && modules.contains(file.tokens[index + 1].text)
        }
    }
}
