/// Which letter remains of a precomposed letter when its diacritics are taken away.
///
/// Derived from the canonical decompositions of the Unicode Character Database (version 14): a scalar is listed when
/// its full decomposition contains a mark for which ``isDiacritic(_:)`` holds. Unicode's stability policy forbids that
/// these decompositions ever change, so the table never goes stale, and folding gives the same answer on every platform.
enum DiacriticTable {
    /// The letter without diacritics; nil when the scalar has none or is not precomposed.
    static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        scalar.value < 0xA8 ? nil : bases[scalar]
    }

    /// Whether a mark only decorates its letter.
    ///
    /// True for nonspacing marks that attach to, or stand above or below, a letter (combining classes from 200) and for the
    /// points of Hebrew, Arabic and Syriac (10 to 36). False for the marks that are letters in themselves: vowels of Indic
    /// scripts and Thai, viramas, nuktas, the voicing of kana.
    static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300, scalar.properties.generalCategory == .nonspacingMark else { return false }
        let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
        return combiningClass >= 200 || (10...36).contains(combiningClass)
    }

    private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
        var result: [Unicode.Scalar: Unicode.Scalar] = [:]
        for line in groups {
            for group in line.unicodeScalars.split(separator: " ") {
                guard let base = group.first else { continue }
                for letter in group.dropFirst() { result[letter] = base }
            }
        }
        return result
    }()

    /// Groups parted by spaces: first the letter that remains, then the letters it remains of.
    private static let groups: [String] = [
        "AÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶ\u{212B} BḂḄḆ CÇĆĈĊČḈ DĎḊḌḎḐḒ EÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ FḞ GĜĞĠĢǦǴḠ HĤȞḢḤḦḨḪ",
        "IÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊ JĴ KĶǨḰḲḴ LĹĻĽḶḸḺḼ MḾṀṂ NÑŃŅŇǸṄṆṈṊ OÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢ PṔṖ RŔŖŘȐȒṘṚṜṞ",
        "SŚŜŞŠȘṠṢṤṦṨ TŢŤȚṪṬṮṰ UÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ VṼṾ WŴẀẂẄẆẈ XẊẌ YÝŶŸȲẎỲỴỶỸ ZŹŻŽẐẒẔ",
        "aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ bḃḅḇ cçćĉċčḉ dďḋḍḏḑḓ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ fḟ gĝğġģǧǵḡ hĥȟḣḥḧḩḫẖ",
        "iìíîïĩīĭįǐȉȋḭḯỉị jĵǰ kķǩḱḳḵ lĺļľḷḹḻḽ mḿṁṃ nñńņňǹṅṇṉṋ oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ pṕṗ rŕŗřȑȓṙṛṝṟ",
        "sśŝşšșṡṣṥṧṩ tţťțṫṭṯṱẗ uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự vṽṿ wŵẁẃẅẇẉẘ xẋẍ yýÿŷȳẏẙỳỵỷỹ zźżžẑẓẕ",
        "\u{A8}\u{385}\u{1FC1}\u{1FED}\u{1FEE} ÆǢǼ ØǾ æǣǽ øǿ ſẛ ƷǮ \u{292}ǯ ΑΆἈἉἊἋἌἍἎἏᾈᾉᾊᾋᾌᾍᾎᾏᾸᾹᾺ\u{1FBB}ᾼ",
        "ΕΈἘἙἚἛἜἝῈ\u{1FC9} ΗΉἨἩἪἫἬἭἮἯᾘᾙᾚᾛᾜᾝᾞᾟῊ\u{1FCB}ῌ ΙΊΪἸἹἺἻἼἽἾἿῘῙῚ\u{1FDB} ΟΌὈὉὊὋὌὍῸ\u{1FF9} ΡῬ ΥΎΫὙὛὝὟῨῩῪ\u{1FEB}",
        "ΩΏὨὩὪὫὬὭὮὯᾨᾩᾪᾫᾬᾭᾮᾯῺ\u{1FFB}ῼ αάἀἁἂἃἄἅἆἇὰ\u{1F71}ᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ εέἐἑἒἓἔἕὲ\u{1F73}",
        "ηήἠἡἢἣἤἥἦἧὴ\u{1F75}ᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ ιΐίϊἰἱἲἳἴἵἶἷὶ\u{1F77}ῐῑῒ\u{1FD3}ῖῗ οόὀὁὂὃὄὅὸ\u{1F79} ρῤῥ",
        "υΰϋύὐὑὒὓὔὕὖὗὺ\u{1F7B}ῠῡῢ\u{1FE3}ῦῧ ωώὠὡὢὣὤὥὦὧὼ\u{1F7D}ᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ ϒϓϔ ІЇ АӐӒ ГЃ ЕЀЁӖ ЖӁӜ ЗӞ ИЍЙӢӤ КЌ ОӦ УЎӮӰӲ",
        "ЧӴ ЫӸ ЭӬ аӑӓ гѓ еѐёӗ жӂӝ зӟ ийѝӣӥ кќ оӧ уўӯӱӳ чӵ ыӹ эӭ ії ѴѶ ѵѷ ӘӚ әӛ ӨӪ өӫ \u{5D0}\u{FB2E}\u{FB2F}\u{FB30}",
        "\u{5D1}\u{FB31}\u{FB4C} \u{5D2}\u{FB32} \u{5D3}\u{FB33} \u{5D4}\u{FB34} \u{5D5}\u{FB35}\u{FB4B} \u{5D6}\u{FB36}",
        "\u{5D8}\u{FB38} \u{5D9}\u{FB1D}\u{FB39} \u{5DA}\u{FB3A} \u{5DB}\u{FB3B}\u{FB4D} \u{5DC}\u{FB3C} \u{5DE}\u{FB3E}",
        "\u{5E0}\u{FB40} \u{5E1}\u{FB41} \u{5E3}\u{FB43} \u{5E4}\u{FB44}\u{FB4E} \u{5E6}\u{FB46} \u{5E7}\u{FB47}",
        "\u{5E8}\u{FB48} \u{5E9}\u{FB2A}\u{FB2B}\u{FB2C}\u{FB2D}\u{FB49} \u{5EA}\u{FB4A} \u{5F2}\u{FB1F}",
        "\u{627}\u{622}\u{623}\u{625} \u{648}\u{624} \u{64A}\u{626} \u{6C1}\u{6C2} \u{6D2}\u{6D3} \u{6D5}\u{6C0}",
        "\u{1FBF}\u{1FCD}\u{1FCE}\u{1FCF} \u{1FFE}\u{1FDD}\u{1FDE}\u{1FDF}",
    ]
}
