/// Makes Swift names of SQL names.
enum SwiftName {
    /// The name of a property: `first_name` and `FirstName` become `firstName`.
    static func property(_ name: String) -> String {
        let words = words(of: name)
        guard let first = words.first else { return "column" }
        let text = lowercasedStart(first) + words.dropFirst().map(uppercasedStart).joined()
        return beginsWithDigit(text) ? "_" + text : text
    }

    /// The name of a type: `order details` becomes `OrderDetails`.
    static func type(_ name: String) -> String {
        let text = words(of: name).map(uppercasedStart).joined()
        if text.isEmpty { return "Table_" }
        return beginsWithDigit(text) ? "_" + text : text
    }

    /// The name, in backticks if it is a keyword.
    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns the words: the runs of letters and digits.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in name.unicodeScalars {
            // The marks that change a letter belong to its word; emoji do not.
            if scalar.properties.isXIDContinue, scalar != "_" {
                word.unicodeScalars.append(scalar)
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    /// `ArtistName` becomes `artistName`, `ID` and `FIRST` become lower case, and `URLPath` becomes `urlPath`.
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
        text.unicodeScalars.first.map { !$0.properties.isXIDStart } ?? false
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

/// Gives out names, each once: a name that is taken gets a number.
struct UniqueNames {
    private var taken: Set<String>

    init(reserving names: Set<String> = []) {
        taken = Set(names.map { $0.lowercased() })
    }

    /// Names that differ only in their case count as the same: each can be the name of a file.
    mutating func unique(_ name: String) -> String {
        var (result, number) = (name, 2)
        while !taken.insert(result.lowercased()).inserted {
            result = "\(name)\(number)"
            number += 1
        }
        return result
    }
}
