/// What an `ALTER TABLE` or a `DROP` does to names.
enum Alteration: Hashable {
    case renameTable(Name, to: Name)
    case renameColumn(Name, to: Name, of: Name)
    case dropColumn(Name, of: Name)
    case dropTable(Name)

    /// Reads a statement that SQLite has run; `nil` for another one.
    init?(_ sql: String) {
        var parser = Parser(Lexer.tokens(of: sql))
        if parser.accept("DROP") {
            guard parser.accept("TABLE") || parser.accept("VIEW") else { return nil }
            _ = parser.accept("IF", "EXISTS")
            guard let name = try? parser.qualifiedName() else { return nil }
            self = .dropTable(name)
            return
        }
        guard parser.accept("ALTER", "TABLE"), let table = try? parser.qualifiedName() else { return nil }
        if parser.accept("RENAME") {
            if parser.accept("TO") {
                guard let name = try? parser.name() else { return nil }
                self = .renameTable(table, to: name)
                return
            }
            _ = parser.accept("COLUMN")
            guard let old = try? parser.name(), parser.accept("TO"), let new = try? parser.name() else { return nil }
            self = .renameColumn(old, to: new, of: table)
        } else if parser.accept("DROP") {
            _ = parser.accept("COLUMN")
            guard let name = try? parser.name() else { return nil }
            self = .dropColumn(name, of: table)
        } else {
            return nil
        }
    }
}

extension Parser {
    /// Reads the name of a table, and leaves the name of its database out.
    mutating func qualifiedName() throws -> Name {
        let name = try name()
        return accept(".") ? try self.name() : name
    }
}
