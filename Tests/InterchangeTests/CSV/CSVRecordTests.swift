import Interchange
import Testing

@Suite("CSV records")
struct CSVRecordTests {
    @Test(
        "fields",
        arguments: [
            ([CSVRecord.Field.plain("1"), .plain("2.5")], "1,2.5\r\n"),
            ([.empty, .plain("x"), .empty], ",x,\r\n"),
            ([.text(""), .text("a")], "\"\",\"a\"\r\n"),
            ([.text("say \"hi\""), .text("a,b")], "\"say \"\"hi\"\"\",\"a,b\"\r\n"),
            ([.text("two\r\nlines")], "\"two\r\nlines\"\r\n"),
            ([.plain("a,b"), .plain("q\"")], "\"a,b\",\"q\"\"\"\r\n"),
            ([.text("Ünï😀")], "\"Ünï😀\"\r\n"), ([.empty], "\r\n"),
        ] as [([CSVRecord.Field], String)])
    func fields(fields: [CSVRecord.Field], line: String) {
        #expect(String(decoding: CSVRecord(fields).line, as: UTF8.self) == line)
    }
}
