import StrandlineBenchmarks

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

exit(await BenchmarkCommand.run(Array(CommandLine.arguments.dropFirst())))
