import Glibc
import Testing
import TransportContract
import Transports

@Suite("DescriptorChannel.standardStreams")
struct DescriptorChannelStandardTests {
    @Test("the streams are moved: stray output goes to the errors, and closing shows the peer the end")
    func moving() throws {
        // Three pipes play standard input, output and errors of a program.
        let (input, output, errors) = (
            try TransportAdapters.makePipe(), try TransportAdapters.makePipe(), try TransportAdapters.makePipe()
        )
        let channel = try DescriptorChannel.moving(
            input: input.reading, output: output.writing, errors: errors.writing, peer: "stdio")
        #expect(unsafe write(output.writing, "stray", 5) == 5)
        #expect(try channel.write([65].span) == 1)
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(unsafe read(errors.reading, &buffer, 16) == 5)
        #expect(unsafe read(output.reading, &buffer, 16) == 1 && buffer[0] == 65)
        #expect(unsafe write(input.writing, "hello", 5) == 5)
        #expect(try ByteStream(channel).readAll(upTo: 5) == Array("hello".utf8))
        #expect(unsafe read(input.reading, &buffer, 16) == 0, "the program's own input is empty")
        channel.close()
        #expect(unsafe read(output.reading, &buffer, 16) == 0, "the end, though the program runs on")
        for pair in [input, output, errors] {
            close(pair.reading)
            close(pair.writing)
        }
    }
}
