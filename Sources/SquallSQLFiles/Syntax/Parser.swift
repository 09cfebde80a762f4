import Squall

/// Reads statements that SQLite has already compiled.
///
/// Unknown syntax is an error. The statement is then not analysed, and its types must be declared.
struct Parser {
    let tokens: [Token]
    var position = 0
    /// The number of expressions, tables and common tables around the next token.
    private var depth = 0
    /// About that of SQLite before version 3.46. Later versions allow thousands of brackets and subqueries, and the stack does not.
    private static let maximumDepth = 100

    /// The reason why a statement is not analysed.
    struct Failure: Error, Hashable {
        /// The offset in the SQL, in bytes of UTF-8.
        let offset: Int
    }

    init(_ tokens: [Token]) {
        self.tokens = tokens
    }

    /// Returns the statement that tokens make.
    static func statement(_ tokens: [Token]) throws -> StatementSyntax {
        var parser = Parser(tokens)
        let statement = try parser.statement()
        _ = parser.accept(";")
        guard parser.isAtEnd else { throw parser.failure }
        return statement
    }

    var isAtEnd: Bool { position >= tokens.count }
    var failure: Failure {
        Failure(offset: isAtEnd ? tokens.last?.range.upperBound ?? 0 : tokens[position].range.lowerBound)
    }

    /// The token at a distance from the next one.
    func peek(_ distance: Int = 0) -> Token? {
        tokens.indices.contains(position + distance) ? tokens[position + distance] : nil
    }

    func isNext(_ keyword: String, at distance: Int = 0) -> Bool { peek(distance)?.is(keyword) == true }

    /// Skips a keyword or a sign if it is next, and returns whether it was.
    mutating func accept(_ keyword: String) -> Bool {
        guard isNext(keyword) else { return false }
        position += 1
        return true
    }

    /// Skips several keywords if they are next, and returns whether they were.
    mutating func accept(_ first: String, _ second: String) -> Bool {
        guard isNext(first), isNext(second, at: 1) else { return false }
        position += 2
        return true
    }

    mutating func expect(_ keyword: String) throws {
        guard accept(keyword) else { throw failure }
    }

    /// Reads a name. SQLite also takes text in quotes as one.
    mutating func name() throws -> Identifier {
        guard let token = peek(), token.canBeName || token.kind == .text else { throw failure }
        position += 1
        return Identifier(token.text)
    }

    /// Reads an alias, with or without AS.
    mutating func alias() throws -> Identifier? {
        if accept("AS") { return try name() }
        guard let token = peek(), token.canBeAlias || token.kind == .text else { return nil }
        // The word may begin a clause.
        if token.is("WINDOW"), isNext("AS", at: 2) { return nil }
        return try name()
    }

    /// Reads a list with commas.
    mutating func list<Element>(_ element: (inout Parser) throws -> Element) throws -> [Element] {
        var result = [try element(&self)]
        while accept(",") { result.append(try element(&self)) }
        return result
    }

    /// Reads something that can contain itself.
    ///
    /// - Throws: ``Failure`` for what is nested more deeply than a statement that a person writes.
    mutating func nested<Result>(_ content: (inout Parser) throws -> Result) throws -> Result {
        guard depth < Self.maximumDepth else { throw failure }
        depth += 1
        defer { depth -= 1 }
        return try content(&self)
    }

    /// Reads something in parentheses.
    mutating func parenthesised<Result>(_ content: (inout Parser) throws -> Result) throws -> Result {
        try expect("(")
        let result = try content(&self)
        try expect(")")
        return result
    }
}
