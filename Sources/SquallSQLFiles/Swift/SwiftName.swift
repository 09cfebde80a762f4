/// Makes Swift names of SQL names, for `squall generate` as well.
@_documentation(visibility: internal)
public enum SwiftName {
    /// Returns the name of a property: `first_name` and `FirstName` become `firstName`.
    ///
    /// - Parameters:
    ///   - name: A name of SQL.
    ///   - keepingEmoji: Whether emoji are kept as letters. Otherwise they separate words.
    ///   - fallback: The result for a name without letters and digits.
    public static func property(_ name: String, keepingEmoji: Bool = false, orElse fallback: String = "column")
        -> String
    {
        let words = words(of: name, keepingEmoji: keepingEmoji)
        guard let first = words.first else { return fallback }
        let text = lowercasedStart(first) + words.dropFirst().map(uppercasedStart).joined()
        return beginsWithDigit(text) ? "_" + text : text
    }

    /// Returns the name of a type: `order details` becomes `OrderDetails`.
    ///
    /// - Parameters:
    ///   - name: A name of SQL.
    ///   - keepingEmoji: Whether emoji are kept as letters. Otherwise they separate words.
    ///   - fallback: The result for a name without letters and digits.
    public static func type(_ name: String, keepingEmoji: Bool = false, orElse fallback: String = "Table_") -> String {
        let text = words(of: name, keepingEmoji: keepingEmoji).map(uppercasedStart).joined()
        if text.isEmpty { return fallback }
        return beginsWithDigit(text) ? "_" + text : text
    }

    /// Returns the name, in backticks if it is a keyword.
    public static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns the name as the label of an argument, where only one keyword has backticks.
    static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    /// Returns the words: the runs of letters and digits.
    private static func words(of name: String, keepingEmoji: Bool) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in name.unicodeScalars {
            // The marks that change a letter belong to its word.
            if scalar.properties.isXIDContinue && scalar != "_" || keepingEmoji && isEmoji(scalar) {
                word.unicodeScalars.append(scalar)
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    /// Returns whether a scalar is an emoji that Swift allows in identifiers. Older symbols, such as ☀, are operators.
    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        (0x1_F000...0x1_FAFF).contains(scalar.value)
    }

    /// Returns a word with its start in lower case: `ArtistName` becomes `artistName`, `ID` and `FIRST` become lower case, and
    /// `URLPath` becomes `urlPath`.
    private static func lowercasedStart(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        if capitals.count == word.count || word.dropFirst(capitals.count).allSatisfy(\.isNumber) {
            return word.lowercased()
        }
        // The last capital of several begins the next word.
        let count = capitals.count > 1 ? capitals.count - 1 : capitals.count
        return word.prefix(count).lowercased() + word.dropFirst(count)
    }

    /// `name` becomes `Name`, and `DETAILS` becomes `Details`. A short word such as `ID` may be an abbreviation, and stays.
    private static func uppercasedStart(_ word: String) -> String {
        let isShouted = word.count > 3 && word.allSatisfy { $0.isUppercase || $0.isNumber }
        return word.prefix(1).uppercased() + (isShouted ? word.dropFirst().lowercased() : String(word.dropFirst()))
    }

    private static func beginsWithDigit(_ text: String) -> Bool {
        text.unicodeScalars.first.map { !$0.properties.isXIDStart && !isEmoji($0) } ?? false
    }

    /// The keywords that cannot be names without backticks.
    private static let keywords: Set<String> = Set(
        """
        associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private \
        precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default \
        defer do else fallthrough for guard if in repeat return switch throw where while Any as await false is nil self \
        Self super throws true try
        """
        .split(separator: " ").map(String.init)
    )
}
