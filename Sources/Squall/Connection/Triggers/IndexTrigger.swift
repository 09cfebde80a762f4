/// A trigger that keeps search tables or R*Trees in step with its table.
struct IndexTrigger {
    /// The modules of the tables that are derived from the rows of other tables.
    private static let modules: Set<Identifier> = ["fts3", "fts4", "fts5", "rtree", "rtree_i32", "geopoly"]

    let name: String
    /// The SQL of a TEMP trigger that does what the trigger does; `nil` if that is impossible: the trigger also writes to another table,
    /// or uses a name that a TEMP table or view has.
    let temporaryCopy: String?
    /// Whether it writes to indexes alone.
    let isSeparable: Bool

    /// Returns `nil` for a trigger that does not write to an index.
    ///
    /// - Parameters:
    ///   - sql: The SQL, as `sqlite_master` has it.
    ///   - indexes: The names of the search tables and R*Trees.
    ///   - views: The views whose INSTEAD OF triggers write to indexes.
    ///   - shadowing: The names of TEMP tables and views, which the body of a TEMP trigger would use.
    init?(
        _ name: String, _ sql: String, indexes: Set<Identifier>, views: Set<Identifier>, shadowing: Set<Identifier>
    ) {
        let tokens = SQLTokenizer.tokens(of: sql)
        let targets = Self.targets(of: tokens)
        guard targets.contains(where: { indexes.contains($0) || views.contains($0) }) else { return nil }
        self.name = name
        isSeparable = targets.allSatisfy(indexes.contains)
        // Without a table that is read, the other names are those of columns.
        let names =
            Self.readsTables(tokens)
            ? tokens.filter { $0.kind == .word || $0.kind == .name }.map { Identifier($0.text) } : targets
        guard isSeparable, shadowing.isDisjoint(with: names),
            let trigger = tokens.firstIndex(where: { $0.is("TRIGGER") }),
            let on = tokens.dropFirst(trigger + 2).firstIndex(where: { $0.is("ON") }), on + 1 < tokens.count
        else {
            temporaryCopy = nil
            return
        }
        let utf8 = Array(sql.utf8)
        let (start, table) = (tokens[trigger].range.upperBound, tokens[on + 1].range.lowerBound)
        let head = String(decoding: utf8[start..<table], as: UTF8.self)
        temporaryCopy = "CREATE TEMP TRIGGER\(head)main.\(String(decoding: utf8[table...], as: UTF8.self))"
    }

    /// Returns whether a trigger writes to an index what a column of its table has.
    static func derives(_ sql: String, from column: Identifier, indexes: Set<Identifier>) -> Bool {
        let tokens = SQLTokenizer.tokens(of: sql)
        guard targets(of: tokens).contains(where: indexes.contains) else { return false }
        // A table that is read may be the trigger's own, or a view of it.
        return readsTables(tokens)
            || tokens.indices.dropFirst(2).contains { index in
                tokens[index - 2].isName("new") && tokens[index - 1].is(".") && Identifier(tokens[index].text) == column
            }
    }

    /// Returns whether a trigger writes to an index.
    static func writes(_ sql: String, to indexes: Set<Identifier>) -> Bool {
        targets(of: SQLTokenizer.tokens(of: sql)).contains(where: indexes.contains)
    }

    /// Returns the statements of a trigger that write to an index, normalised; `nil` for a trigger with a condition.
    static func statements(of sql: String, writing index: Identifier) -> [String]? {
        let tokens = SQLTokenizer.tokens(of: sql)
        guard !tokens.contains(where: { $0.is("WHEN") }) else { return nil }
        return statements(of: tokens).filter { target(of: $0) == index }.map { SQLTokenizer.normalized($0) }
    }

    private static func readsTables(_ tokens: [Token]) -> Bool {
        tokens.indices.dropFirst().contains { tokens[$0].is("FROM") && !tokens[$0 - 1].is("DELETE") }
    }

    /// Returns whether the SQL is that of a search table or an R*Tree.
    static func isIndex(_ sql: String) -> Bool {
        let tokens = SQLTokenizer.tokens(of: sql)
        guard let using = tokens.firstIndex(where: { $0.is("USING") }), using + 1 < tokens.count else { return false }
        return modules.contains(Identifier(tokens[using + 1].text))
    }

    /// Returns the tables that the statements of a trigger write to.
    private static func targets(of tokens: [Token]) -> [Identifier] { statements(of: tokens).compactMap(target) }

    private static func statements(of tokens: [Token]) -> [ArraySlice<Token>] {
        let verbs = ["INSERT", "REPLACE", "UPDATE", "DELETE", "SELECT"]
        // A column can have the name `begin`.
        let begin = tokens.indices.dropLast().first { index in
            tokens[index].is("BEGIN") && verbs.contains { tokens[index + 1].is($0) }
        }
        guard let begin else { return [] }
        return tokens[(begin + 1)...].split { $0.is(";") }
    }

    private static func target(of statement: ArraySlice<Token>) -> Identifier? {
        guard let verb = statement.first else { return nil }
        if verb.is("UPDATE") {
            let skipped = statement.dropFirst().first?.is("OR") == true ? 3 : 1
            return statement.dropFirst(skipped).first.map { Identifier($0.text) }
        }
        guard ["INSERT", "REPLACE", "DELETE"].contains(where: { verb.is($0) }) else { return nil }
        let word = verb.is("DELETE") ? "FROM" : "INTO"
        let rest = statement.drop { !$0.is(word) }
        return rest.dropFirst().first.map { Identifier($0.text) }
    }
}

/// The reason why the triggers of a program cannot be left out of a statement.
public enum TriggerProblem: SQLiteProblem {
    /// Thrown when the triggers of the program are off, and a trigger that keeps a search table or an R*Tree in step cannot run
    /// alone: it writes to other tables or views too, or a TEMP table or view has a name that it uses.
    case inseparable(String)
}

extension TriggerProblem {
    public var code: ResultCode { .error }

    public var message: String {
        switch self {
        case .inseparable(let name):
            """
            the trigger \(name) cannot run alone to keep an index in step: it writes to other tables or views too, or a TEMP table or view has \
            a name that it uses; split the trigger, or rename that table
            """
        }
    }
}
