/// Titles and contents of posts of a beer diary.
enum PostText {
    /// Bytes of every content.
    static let contentLength = 70

    private static let qualities = [
        "Amber", "Bitter", "Cloudy", "Cold", "Dark", "Dry", "Fresh", "Fruity", "Golden", "Hoppy", "Imperial", "Light", "Malty",
        "Mild", "Old", "Pale", "Red", "Smoked", "Sour", "Spiced", "Strong", "Sweet", "Toasted", "Wild",
    ]
    private static let beers = [
        "ale", "barley wine", "bock", "dubbel", "gose", "gueuze", "helles", "ipa", "kellerbier", "lager", "lambic", "pilsner",
        "porter", "saison", "stout", "tripel", "weissbier", "witbier",
    ]
    private static let places = [
        "after the hike", "at the abbey", "at the airport", "at the brewery", "at the lake", "by the canal", "by the fire",
        "from the barrel", "from the harbour", "in Bamberg", "in Bruges", "in Dublin", "in Pilsen", "in Portland",
        "in the garden", "in the rain", "on the ferry", "on the terrace", "on the train", "under the chestnuts", "with Anna",
        "with friends", "with old cheese", "with the neighbours",
    ]
    private static let words = [
        "a", "again", "and", "aroma", "banana", "better", "biscuit", "body", "bread", "caramel", "cherry", "clean", "clove",
        "coffee", "colour", "creamy", "crisp", "dense", "finish", "foam", "glass", "grass", "honey", "hops", "lasting", "lemon",
        "less", "long", "malt", "more", "not", "notes", "oak", "of", "orange", "peat", "pepper", "pine", "plum", "quite",
        "resin", "round", "smooth", "soft", "some", "spice", "than", "the", "toffee", "very", "warm", "with", "yeast", "yet",
    ]

    static func title(_ random: inout SeededWords) -> String {
        "\(pick(qualities, &random)) \(pick(beers, &random)) \(pick(places, &random))"
    }

    static func content(_ random: inout SeededWords) -> String {
        var text = ""
        while text.utf8.count < contentLength { text += text.isEmpty ? pick(words, &random) : " " + pick(words, &random) }
        return text.prefix(1).uppercased() + text.dropFirst().prefix(contentLength - 2) + "."
    }

    private static func pick(_ list: [String], _ random: inout SeededWords) -> String {
        list[Int(random.next() % UInt64(list.count))]
    }
}
