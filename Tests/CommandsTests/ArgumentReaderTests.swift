import Commands
import Testing

enum Color: String, CaseIterable, ArgumentValue { case red, green }

@Suite("ArgumentReader")
struct ArgumentReaderTests {
    @Test("takes flags, options and positionals wherever they stand")
    func mixed() throws {
        var reader = ArgumentReader(["STORE", "--limit", "10", "Post", "--json", "--where=views > 5"])
        #expect(try reader.flag("--json"))
        #expect(try reader.option("--limit", as: Int.self) == 10)
        #expect(try reader.option("--where") == "views > 5")
        #expect(try reader.option("--sort") == nil)
        #expect(try reader.positional("STORE") == "STORE")
        #expect(try reader.positional("ENTITY") == "Post")
        #expect(try reader.optionalPositional("FILE") == nil)
        try reader.finish()
    }

    @Test("keeps the order of repeated options, in both spellings, and what follows the first equals sign")
    func repeated() throws {
        var reader = ArgumentReader(["--set", "a=1", "--set=b=2", "--set", "c="])
        #expect(try reader.options("--set") == ["a=1", "b=2", "c="])
        try reader.finish()
    }

    @Test("takes negative numbers as values and as words, and a lone dash as a word")
    func negative() throws {
        var reader = ArgumentReader(["--offset", "-5", "-2.5", "-"])
        #expect(try reader.option("--offset", as: Int.self) == -5)
        #expect(try reader.positional("NUMBER", as: Double.self) == -2.5)
        #expect(try reader.positional("FILE") == "-")
        try reader.finish()
    }

    @Test("takes no options after --")
    func literals() throws {
        var reader = ArgumentReader(["--json", "--", "--json", "--"])
        #expect(try reader.flag("--json"))
        #expect(try reader.positional("A") == "--json")
        #expect(try reader.positional("B") == "--")
        try reader.finish()
    }

    @Test("a value that begins with two dashes needs the equals sign")
    func dashedValue() throws {
        var spaced = ArgumentReader(["--author", "--json"])
        #expect(throws: CommandError.usage("--author needs a value")) { try spaced.option("--author") }
        var joined = ArgumentReader(["--author=--json"])
        #expect(try joined.option("--author") == "--json")
    }

    @Test("a value is not looked for behind --")
    func valueBehindTerminator() {
        var reader = ArgumentReader(["--author", "--", "ann"])
        #expect(throws: CommandError.usage("--author needs a value")) { try reader.option("--author") }
    }

    @Test("says what was expected and what was found")
    func conversions() {
        var reader = ArgumentReader(["--limit", "many", "--since", "inf", "--color", "blue", "--size", "-1"])
        #expect(throws: CommandError.usage("--limit needs a whole number, not 'many'")) {
            try reader.option("--limit", as: Int.self)
        }
        #expect(throws: CommandError.usage("--since needs a number, not 'inf'")) {
            try reader.option("--since", as: Double.self)
        }
        #expect(throws: CommandError.usage("--color needs one of red, green, not 'blue'")) {
            try reader.option("--color", as: Color.self)
        }
        #expect(throws: CommandError.usage("--size needs a whole number that is not negative, not '-1'")) {
            try reader.option("--size", as: UInt64.self)
        }
    }

    @Test("refuses what is given twice, or with a value it does not take")
    func misuse() {
        var twice = ArgumentReader(["--limit", "1", "--limit=2"])
        #expect(throws: CommandError.usage("--limit is given twice")) { try twice.option("--limit", as: Int.self) }
        var flagTwice = ArgumentReader(["--json", "--json"])
        #expect(throws: CommandError.usage("--json is given twice")) { try flagTwice.flag("--json") }
        var valued = ArgumentReader(["--json=yes"])
        #expect(throws: CommandError.usage("--json takes no value")) { try valued.flag("--json") }
    }

    @Test("names the option that was probably meant, before it complains of missing words")
    func hints() throws {
        var reader = ArgumentReader(["--limti", "5"])
        _ = try reader.option("--limit", as: Int.self)
        #expect(throws: CommandError.usage("there is no option --limti; did you mean --limit?")) {
            try reader.positional("STORE")
        }
        var far = ArgumentReader(["--verbose=yes"])
        _ = try far.flag("--json")
        #expect(throws: CommandError.usage("there is no option --verbose")) { try far.finish() }
        var short = ArgumentReader(["-j"])
        #expect(throws: CommandError.usage("there is no option -j")) { try short.finish() }
    }

    @Test("refuses missing and superfluous words")
    func words() {
        var missing = ArgumentReader([])
        #expect(throws: CommandError.usage("STORE is missing")) { try missing.positional("STORE") }
        var superfluous = ArgumentReader(["a"])
        #expect(throws: CommandError.usage("unexpected argument 'a'")) { try superfluous.finish() }
    }
}
