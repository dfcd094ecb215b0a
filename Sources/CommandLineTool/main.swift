import Commands

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

let code = await CommandTable.strandline.run(Array(CommandLine.arguments.dropFirst()), Terminal.standard())
exit(code.rawValue)
