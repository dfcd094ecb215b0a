import EventLog
import Projection
import Testing

@Suite("PredicateParser")
struct PredicateParserTests {
    @Test(
        "reads what NSPredicate reads, and writes it in one form",
        arguments: [
            ("views > 500", "views > 500"),
            ("views=>5 AND title=='x'", #"views >= 5 AND title == "x""#),
            ("views =< 5 && title <> \"x\" || !(isRead = yes)", #"views <= 5 AND title != "x" OR NOT isRead == YES"#),
            ("a == 1 or b == 2 and c == 3", "a == 1 OR b == 2 AND c == 3"),
            ("(a == 1 or b == 2) and c == 3", "(a == 1 OR b == 2) AND c == 3"),
            ("NOT a == 1 AND b == 2", "NOT a == 1 AND b == 2"),
            ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
            ("not not a == nil", "NOT NOT a == nil"),
            ("a == 1 AND (b == 2 AND c == 3)", "a == 1 AND b == 2 AND c == 3"),
            ("((((a)) == ((1))))", "a == 1"),
            ("magnitude > 2.5 AND place CONTAINS[cd] 'alaska'", #"magnitude > 2.5 AND place CONTAINS[cd] "alaska""#),
            (
                "t beginswith[C] 'a' and t ENDSWITH[d]\"b\" and t like[dc] 'c*'",
                #"t BEGINSWITH[c] "a" AND t ENDSWITH[d] "b" AND t LIKE[cd] "c*""#
            ),
            (#"t MATCHES "[a-z]+\\d""#, #"t MATCHES "[a-z]+\\d""#),
            ("v BETWEEN {1, 5}", "v BETWEEN {1, 5}"), ("v in {1,-2 , 3.5}", "v IN {1, -2, 3.5}"), ("v IN {}", "v IN {}"),
            ("ANY attachments.size > 3", "ANY attachments.size > 3"), ("SOME a.b = 1", "ANY a.b == 1"),
            ("ALL a.b != nil", "ALL a.b != nil"), ("NONE a.b == NULL", "NONE a.b == nil"),
            ("attachments.@count > 0", "attachments.@count > 0"),
            ("SELF IN {'x', 'y'}", #"SELF IN {"x", "y"}"#), ("self.views == 3", "views == 3"),
            ("TRUEPREDICATE", "TRUEPREDICATE"), ("falsepredicate OR a == TRUE", "FALSEPREDICATE OR a == YES"),
            ("#in == 'x' AND #select.#any == 1", ##"#in == "x" AND select.#any == 1"##),
            ("`net-worth` > 1 AND `a.b\\`c` == 2", "`net-worth` > 1 AND `a.b\\`c` == 2"),
            ("a + b * 2 - 3 > -c", "a + b * 2 - 3 > 0 - c"), ("(a + b) * 2 > a - (b - 1)", "(a + b) * 2 > a - (b - 1)"),
            ("a-1 > 2", "a - 1 > 2"), ("500 < views", "500 < views"),
            (#"d > CAST("2020-10-13T00:00:00Z", "NSDate")"#, #"d > CAST("2020-10-13T00:00:00Z", "NSDate")"#),
            (#"d > CAST("2020-10-13 02:00+02:00", "NSDate")"#, #"d > CAST("2020-10-13T00:00:00Z", "NSDate")"#),
            (#"d > CAST(0.1234567, "NSDate")"#, #"d > CAST("2001-01-01T00:00:00.1234567Z", "NSDate")"#),
            (
                #"k == CAST("e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "NSUUID")"#,
                #"k == CAST("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "NSUUID")"#
            ),
            (#"r == CAST("00fF", "NSData")"#, #"r == CAST("00ff", "NSData")"#),
            (#"t == "a\"\\\n\tA'""#, #"t == "a\"\\\n\tA'""#), ("t == 'it\\'s'", #"t == "it's""#),
            ("t == \"\u{301}x\"", "t == \"\u{301}x\""), ("räksmörgås == 1", "räksmörgås == 1"),
            ("v == -9223372036854775808", "v == -9223372036854775808"), ("v == 1e3", "v == 1000.0"),
            ("v == 1e999", "v == 1e999"), ("v\n==\t1", "v == 1"), ("first == 1 AND size == 2", "first == 1 AND size == 2"),
        ])
    func accepts(text: String, canonical: String) throws {
        let filter = try Filter(text)
        #expect(filter.description == canonical)
        #expect(try Filter(canonical) == filter)
    }

    @Test(
        "refuses the rest, and says where",
        arguments: [
            ("", .syntax, 0, "empty"), ("   ", .syntax, 3, "empty"),
            ("views >", .syntax, 7, "expected a property or a value after '>', not the end"),
            ("views > AND a == 1", .syntax, 8, "'AND' is a reserved word"),
            ("isRead", .syntax, 0, "write isRead == YES"), ("a == 1 AND isRead", .syntax, 11, "write isRead == YES"),
            ("5", .syntax, 0, "a value alone"), ("(a == 1", .syntax, 7, "')' to close the '(' at character 1"),
            ("a == 1)", .syntax, 6, "expected AND, OR or the end, not ')'"), ("a == 1 b == 2", .syntax, 7, "not 'b'"),
            ("a == 'x", .syntax, 5, "' is not closed"), ("a == \"x\\q\"", .syntax, 7, "unknown escape '\\q'"),
            ("a == '\\u00g0'", .syntax, 6, "four hexadecimal digits"), ("a == %@", .unsupported, 5, "format arguments"),
            ("%K == 1", .unsupported, 0, "format arguments"), ("a == $x", .unsupported, 5, "variables"),
            ("SUBQUERY(a, $x, $x == 1).@count > 0", .unsupported, 12, "variables"),
            ("SUBQUERY(a)", .unsupported, 0, "SUBQUERY"), ("a == now()", .unsupported, 5, "functions such as now()"),
            ("a.@sum > 1", .unsupported, 2, "@sum is not supported"), ("a ==[x] 'b'", .syntax, 4, "unknown modifier [x]"),
            ("a ==[n] 'b'", .unsupported, 4, "n and l"), ("a ==[] 'b'", .syntax, 4, "unknown modifier []"),
            ("a ==[c 'b'", .syntax, 4, "'[' is not closed"),
            ("a IN (1, 2)", .syntax, 5, "expected '{' to begin the list of IN"),
            ("a IN {1, 2", .syntax, 10, "expected '}' or ','"),
            ("a BETWEEN {1}", .syntax, 10, "two bounds, as in {1, 5}, not 1"),
            ("a NOT IN {1}", .syntax, 2, "NOT stands before"), ("1 < a < 3", .syntax, 6, "cannot be compared again"),
            ("a == (b == 1)", .syntax, 5, "expected a value, not a condition"),
            ("(a == 1) + 2 > 3", .syntax, 0, "expected a value, not a condition"),
            ("ANY a.b", .syntax, 7, "comparison operator"),
            ("a == 99999999999999999999", .invalidLiteral, 5, "does not fit in 64 bits"),
            ("a == 0x1F", .syntax, 6, "does not belong in a number"), ("a.in == 1", .syntax, 2, "write #in"),
            ("a. == 1", .syntax, 3, "expected a property's name, not '=='"), ("# == 1", .syntax, 0, "after '#'"),
            ("a MATCHES '(b'", .invalidPattern, 10, "not a regular expression: expected ')'"),
            ("a == CAST('yesterday', 'NSDate')", .invalidLiteral, 10, "cannot read ''yesterday''"),
            ("a == CAST('1', 'NSColor')", .unsupported, 15, "NSColor"), ("a ; b", .syntax, 2, "unexpected character ';'"),
            ("e\u{301}e\u{301} == %@", .unsupported, 6, "format arguments"),
        ] as [(String, PredicateError.Code, Int, String)])
    func refuses(text: String, code: PredicateError.Code, position: Int, message: String) throws {
        let error = try #require(throws: PredicateError.self) { try Filter(text) }
        #expect(error.code == code)
        #expect(error.position == position)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.text == text)
    }

    @Test("shows the place under the text")
    func description() throws {
        let error = try #require(throws: PredicateError.self) { try Filter("views >\nAND title == 'å'") }
        #expect(
            error.description == """
                'AND' is a reserved word; write #AND for a property of that name
                views > AND title == 'å'
                        ^
                """)
    }

    @Test("shows of a long text what is around the place", arguments: [0, 59, 60, 61, 5_000, 9_940, 10_000])
    func longDescription(place: Int) throws {
        let text = String(repeating: "x", count: place) + ";" + String(repeating: "y", count: 10_000 - place)
        let error = try #require(throws: PredicateError.self) { try Filter(text) }
        let lines = error.description.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[1].count <= 122)
        #expect(Array(lines[1])[lines[2].count - 1] == ";")
        #expect(lines[1].hasPrefix("…") == (place > 60) && lines[1].hasSuffix("…") == (place + 60 <= 10_000))
    }

    @Test("refuses to nest too deep, in linear time", arguments: ["(", "NOT ", "!", "-", "a == (1 + "])
    func depth(part: String) throws {
        let limit = PredicateParser.maximumDepth
        let error = try #require(throws: PredicateError.self) { try Filter(String(repeating: part, count: 50_000)) }
        #expect(error.code == .tooDeep || part == "a == (1 + ")
        #expect(throws: PredicateError.self) { try Filter("a == " + String(repeating: "1 + ", count: limit + 1) + "1") }
        #expect(throws: Never.self) { try Filter("a == " + String(repeating: "1 + ", count: limit) + "1") }
        #expect(throws: Never.self) {
            try Filter(String(repeating: "(", count: limit) + "a == 1" + String(repeating: ")", count: limit))
        }
        let many = (0..<20_000).map { "a == \($0)" }.joined(separator: " OR ")
        #expect(try Filter(many).description == many)
    }
}
