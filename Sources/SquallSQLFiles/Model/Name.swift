/// A name of SQL. Names are compared as SQLite compares them: ASCII letters ignore case, everything else is compared byte by
/// byte.
struct Name: Hashable, Sendable {
    /// The name as it was written, without quotes.
    let spelling: String
    private let folded: [UInt8]

    init(_ spelling: some StringProtocol) {
        self.spelling = String(spelling)
        folded = spelling.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    }

    static func == (left: Name, right: Name) -> Bool { left.folded == right.folded }

    func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension Name: ExpressibleByStringLiteral {
    init(stringLiteral spelling: String) {
        self.init(spelling)
    }
}

extension Name: CustomStringConvertible {
    var description: String { spelling }
}
