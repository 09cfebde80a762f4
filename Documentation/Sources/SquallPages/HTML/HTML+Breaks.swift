extension HTML {
    /// Returns the name of a symbol, which may be broken after each label, as in `insert(into:` and `where:)`.
    static func breakable(_ name: String) -> [HTML] {
        var result: [HTML] = []
        var part = ""
        for (index, character) in zip(name.indices, name) {
            part.append(character)
            if ":(.".contains(character), index != name.startIndex, !name[index...].dropFirst().hasPrefix(")") {
                result += [.text(part), Tag.wbr()]
                part = ""
            }
        }
        return part.isEmpty ? result : result + [.text(part)]
    }
}
