import Squall
import SquallBase

// A script for rows must leave the tables that are derived from them in step: full-text tables and R*Trees.

extension SchemaObjects {
    private static let indexModules = ["fts3", "fts4", "fts5", "rtree", "rtree_i32", "geopoly"].map { Identifier($0) }

    /// The triggers of a table that a script for its rows must keep from running: all but those that only write to full-text
    /// tables and R*Trees.
    func triggersOfProgram(of table: String) -> [SchemaEntry] {
        let indexes = Set(objects(.table).filter { Self.isIndex($0) }.map { Identifier($0.name) })
        return objects(.trigger, of: table).filter { trigger in
            let targets = Self.targets(of: SQLTokenizer.tokens(of: trigger.sql))
            return targets.isEmpty || !targets.allSatisfy { $0.map(indexes.contains) ?? false }
        }
    }

    private static func isIndex(_ table: SchemaEntry) -> Bool {
        table.module.map { indexModules.contains(Identifier($0.name)) } ?? false
    }

    /// Returns the table that each statement of a trigger writes to; `nil` for a statement that only reads.
    private static func targets(of tokens: [Token]) -> [Identifier?] {
        let verbs = ["INSERT", "REPLACE", "UPDATE", "DELETE", "SELECT"]
        // A column can have the name `begin`.
        let begin = tokens.indices.dropLast().first { index in
            tokens[index].is("BEGIN") && verbs.contains { tokens[index + 1].is($0) }
        }
        guard let begin else { return [] }
        return tokens[(begin + 1)...].dropLast().split { $0.is(";") }.map { statement in
            let conflict = ["OR", "ROLLBACK", "ABORT", "FAIL", "IGNORE", "REPLACE", "INTO", "FROM"]
            guard let verb = statement.first, !verb.is("SELECT") else { return nil }
            let rest = statement.dropFirst().drop { token in token.kind == .word && conflict.contains { token.is($0) } }
            return rest.first.map { Identifier($0.text) }
        }
    }

    /// The full-text tables that are about rows of another table, and those tables.
    var searchTables: [(table: String, content: Identifier)] {
        objects(.table).filter(\.isVirtual).compactMap { table in
            let tokens = SQLTokenizer.tokens(of: table.sql)
            guard tokens.contains(where: { $0.is("FTS5") }),
                let option = tokens.firstIndex(where: { $0.is("CONTENT") }),
                option + 2 < tokens.count, tokens[option + 1].is("=")
            else { return nil }
            let name = tokens[option + 2].text
            return name.isEmpty ? nil : (table.name, Identifier(name))
        }
    }
}
