/// Everything that a value is made of, in words: more than it prints for people.
func wholeText(of value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
}
