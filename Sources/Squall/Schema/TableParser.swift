import Foundation

/// Reads what the pragmas do not tell from the SQL of a table or an index, which SQLite has taken before.
struct TableParser {
    private let utf8: [UInt8]
    private var tokens: ArraySlice<SQLToken>

    init(_ sql: String) {
        utf8 = Array(sql.utf8)
        tokens = SQLTokenizer.tokens(of: sql)[...]
    }

    // MARK: - Tokens

    private mutating func take(_ words: String...) -> Bool {
        guard tokens.count >= words.count, zip(tokens, words).allSatisfy({ $0.is($1) }) else { return false }
        tokens.removeFirst(words.count)
        return true
    }

    private func isNext(_ words: String...) -> Bool {
        words.contains { tokens.first?.is($0) == true }
    }

    private mutating func skip(to word: String) {
        while let token = tokens.popFirst(), !token.is(word) {}
    }

    private mutating func name() -> String { tokens.popFirst()?.text ?? "" }

    /// The SQL between parentheses, of which the first is the next token.
    private mutating func parenthesised() -> String {
        guard let open = tokens.first, open.is("(") else { return "" }
        var depth = 0
        var end = open.range.upperBound
        while let token = tokens.popFirst() {
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            end = token.range.lowerBound
            if depth == 0 { break }
        }
        return trimmed(open.range.upperBound..<max(end, open.range.upperBound))
    }

    private func trimmed(_ range: Range<Int>) -> String {
        String(decoding: utf8[range], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The rest, up to a sign that ends a part of a list.
    private mutating func sqlToEnd(of words: [String] = [",", ")"]) -> String {
        guard let start = tokens.first?.range.lowerBound else { return "" }
        var end = start
        var depth = 0
        while let token = tokens.first, depth > 0 || !words.contains(where: { token.is($0) }) {
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            end = token.range.upperBound
            tokens.removeFirst()
        }
        return trimmed(start..<end)
    }

    // MARK: - Tables

    /// `CREATE TABLE name(…) …`
    mutating func table(named name: String) -> TableDefinition {
        var table = TableDefinition(name: name)
        skip(to: "(")
        while !tokens.isEmpty, !isNext(")") {
            // SQLite lets the commas between the constraints of a table be left out.
            if take(",") { continue }
            if isNext("CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN") {
                let name = take("CONSTRAINT") ? self.name() : nil
                guard let kind = tableConstraint() else { continue }
                table.constraints.append(TableConstraint(name: name, kind))
            } else {
                table.columns.append(column())
            }
        }
        _ = take(")")
        while let token = tokens.popFirst() {
            if token.is("STRICT") { table.isStrict = true }
            if token.is("WITHOUT") { table.isWithoutRowID = true }
        }
        return table
    }

    private mutating func tableConstraint() -> TableConstraint.Kind? {
        if take("PRIMARY", "KEY") {
            let columns = indexedColumns()
            return .primaryKey(columns, onConflict: conflict())
        } else if take("UNIQUE") {
            let columns = indexedColumns()
            return .unique(columns, onConflict: conflict())
        } else if take("CHECK") {
            let condition = SQL(raw: parenthesised())
            _ = conflict()
            return .check(condition)
        } else if take("FOREIGN", "KEY") {
            let columns = names()
            guard take("REFERENCES") else { return nil }
            return .foreignKey(columns, reference())
        }
        tokens = tokens.dropFirst()
        return nil
    }

    private mutating func column() -> ColumnDefinition {
        var column = ColumnDefinition(name: name())
        let keywords = [
            "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "AS", ",",
            ")",
        ]
        var type: [String] = []
        while let token = tokens.first, !keywords.contains(where: { token.is($0) }), !isGenerated {
            if token.is("(") {
                type.append((type.popLast() ?? "") + "(\(parenthesised()))")
            } else {
                type.append(name())
            }
        }
        column.type = type.joined(separator: " ")
        var name: String?
        while !tokens.isEmpty, !isNext(",", ")") {
            if take("CONSTRAINT") {
                name = self.name()
            } else {
                columnConstraint(of: &column, named: name)
                name = nil
            }
        }
        return column
    }

    private var isGenerated: Bool {
        tokens.first?.is("GENERATED") == true && tokens.dropFirst().first?.is("ALWAYS") == true
    }

    private mutating func columnConstraint(of column: inout ColumnDefinition, named name: String?) {
        if take("PRIMARY", "KEY") {
            let order = order()
            let conflict = conflict()
            column.primaryKey = .init(order: order, conflict: conflict, isAutoincrement: take("AUTOINCREMENT"))
        } else if take("NOT", "NULL") {
            column.notNull = .init(conflict: conflict())
        } else if take("NULL") {
            _ = conflict()
        } else if take("UNIQUE") {
            column.unique = .init(conflict: conflict())
        } else if take("CHECK") {
            column.checks.append(.init(name: name, condition: SQL(raw: parenthesised())))
        } else if take("DEFAULT") {
            column.defaultValue = SQL(raw: defaultValue())
        } else if take("COLLATE") {
            column.collation = self.name()
        } else if take("REFERENCES") {
            column.references.append(reference())
        } else if take("GENERATED", "ALWAYS", "AS") || take("AS") {
            let expression = SQL(raw: parenthesised())
            let isStored = take("STORED")
            if !isStored { _ = take("VIRTUAL") }
            column.generated = .init(expression: expression, isStored: isStored)
        } else if let deferral = deferral() {
            // After another constraint it still is of the last foreign key.
            if let last = column.references.indices.last { column.references[last].deferral = deferral }
        } else {
            tokens = tokens.dropFirst()
        }
    }

    private mutating func defaultValue() -> String {
        if isNext("(") { return "(\(parenthesised()))" }
        guard let first = tokens.popFirst() else { return "" }
        let isSigned = first.is("+") || first.is("-")
        let isBlob = first.text.uppercased() == "X" && tokens.first?.kind == .text
        let end = isSigned || isBlob ? tokens.popFirst()?.range.upperBound : nil
        return trimmed(first.range.lowerBound..<(end ?? first.range.upperBound))
    }

    private mutating func order() -> SortOrder? {
        if take("DESC") { return .descending }
        return take("ASC") ? .ascending : nil
    }

    private mutating func conflict() -> ConflictResolution? {
        guard take("ON", "CONFLICT") else { return nil }
        return ConflictResolution(rawValue: name().uppercased())
    }

    private mutating func names() -> [String] {
        guard take("(") else { return [] }
        var names: [String] = []
        while !tokens.isEmpty, !take(")") {
            if !take(",") { names.append(name()) }
        }
        return names
    }

    private mutating func reference() -> ForeignKeyReference {
        var reference = ForeignKeyReference(table: name())
        reference.columns = names()
        while true {
            if take("ON", "DELETE") {
                reference.onDelete = action()
            } else if take("ON", "UPDATE") {
                reference.onUpdate = action()
            } else if take("MATCH") {
                _ = name()
            } else if let deferral = deferral() {
                reference.deferral = deferral
            } else {
                return reference
            }
        }
    }

    private mutating func action() -> ForeignKeyReference.Action? {
        let first = name().uppercased()
        let words = ["SET", "NO"].contains(first) ? "\(first) \(name().uppercased())" : first
        return ForeignKeyReference.Action(rawValue: words)
    }

    private mutating func deferral() -> ForeignKeyReference.Deferral? {
        let isNot = take("NOT", "DEFERRABLE")
        guard isNot || take("DEFERRABLE") else { return nil }
        let isDeferred = take("INITIALLY", "DEFERRED")
        if !isDeferred { _ = take("INITIALLY", "IMMEDIATE") }
        return isNot ? .notDeferrable : isDeferred ? .initiallyDeferred : .initiallyImmediate
    }

    // MARK: - Indexes

    /// The columns and the condition of `CREATE INDEX name ON table(…) WHERE …`.
    mutating func index() -> (columns: [IndexedColumn], condition: SQL?) {
        skip(to: "ON")
        _ = name()
        let columns = indexedColumns()
        return (columns, take("WHERE") ? SQL(raw: sqlToEnd(of: [])) : nil)
    }

    private mutating func indexedColumns() -> [IndexedColumn] {
        guard take("(") else { return [] }
        var columns: [IndexedColumn] = []
        while !tokens.isEmpty, !take(")") {
            if take(",") { continue }
            let start = tokens
            var column = IndexedColumn(name())
            if !isNext(",", ")", "COLLATE", "ASC", "DESC") || start.first.map({ $0.kind == .other }) == true {
                tokens = start
                column.term = .expression(
                    SQL(raw: sqlToEnd(of: [",", ")", "COLLATE", "ASC", "DESC", "AUTOINCREMENT"])))
            }
            if take("COLLATE") { column.collation = name() }
            column.order = order()
            _ = take("AUTOINCREMENT")
            columns.append(column)
        }
        return columns
    }
}
