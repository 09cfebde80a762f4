/// Parses the SQL of a table or an index for what the pragmas do not report. SQLite has already accepted SQL that comes from
/// a file.
struct TableParser {
    private let utf8: [UInt8]
    private var tokens: ArraySlice<Token>
    /// The first part that was not understood. SQL from a file was accepted by SQLite before; SQL from a program was not.
    private(set) var fault: String?

    init(_ sql: String) {
        utf8 = Array(sql.utf8)
        tokens = SQLTokenizer.tokens(of: sql)[...]
        if tokens.contains(where: { !$0.isTerminated }) { fault = "a quote does not end" }
    }

    /// Whether the SQL is a `CREATE VIRTUAL TABLE`.
    var isVirtual: Bool { tokens.dropFirst().first?.is("VIRTUAL") == true }

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

    private mutating func skipUnexpected() {
        guard let token = tokens.popFirst() else { return }
        fault = fault ?? "\"\(token.text)\" is not expected"
    }

    private mutating func name() -> String { tokens.popFirst()?.text ?? "" }

    private func text(_ tokens: ArraySlice<Token>) -> String {
        guard let first = tokens.first, let last = tokens.last else { return "" }
        return String(decoding: utf8[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
    }

    /// Takes the tokens up to a comma, or up to the closing parenthesis of the enclosing list.
    private mutating func item() -> ArraySlice<Token> {
        let start = tokens
        var depth = 0
        while let token = tokens.first, depth > 0 || !(token.is(",") || token.is(")")) {
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            tokens.removeFirst()
        }
        return start[..<tokens.startIndex]
    }

    /// Takes a pair of parentheses and the tokens between them, if the next token opens one.
    private mutating func group() -> ArraySlice<Token> {
        let start = tokens
        guard take("(") else { return [] }
        while !tokens.isEmpty, !isNext(")") {
            _ = item()
            _ = take(",")
        }
        _ = take(")")
        return start[..<tokens.startIndex]
    }

    /// Takes a pair of parentheses, and returns the SQL between them.
    private mutating func parenthesised() -> String {
        let group = group()
        guard let open = group.first, let close = group.last, group.count > 1 else { return "" }
        let inside = utf8[open.range.upperBound..<close.range.lowerBound]
        return String(decoding: inside.trimmingBlanks(), as: UTF8.self)
    }

    // MARK: - Tables

    /// Parses `CREATE TABLE name(…) …`.
    mutating func table(named name: String) -> TableDefinition {
        var table = TableDefinition(name: name)
        skip(to: "(")
        while !tokens.isEmpty, !isNext(")") {
            // SQLite allows the commas between table constraints to be omitted.
            if take(",") { continue }
            if isNext("CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN") {
                let name = take("CONSTRAINT") ? self.name() : nil
                guard let kind = tableConstraint(of: &table) else { continue }
                table.constraints.append(TableConstraint(name: name, kind))
            } else {
                table.columns.append(column())
            }
        }
        if !take(")") { fault = fault ?? "a parenthesis does not end" }
        while !tokens.isEmpty {
            if take("STRICT") {
                table.isStrict = true
            } else if take("WITHOUT", "ROWID") {
                table.isWithoutRowID = true
            } else if !take(",") {
                skipUnexpected()
            }
        }
        return table
    }

    /// - Returns: `nil` without a constraint, and for a constraint that is stored with its column.
    private mutating func tableConstraint(of table: inout TableDefinition) -> TableConstraint.Kind? {
        if take("PRIMARY", "KEY") {
            let (columns, isAutoincrement) = indexedColumns()
            let conflict = conflict()
            guard isAutoincrement, let name = columns.first?.columnName,
                let index = table.columns.firstIndex(where: { $0.name.isSameName(as: name) })
            else { return .primaryKey(columns, onConflict: conflict) }
            table.columns[index].primaryKey = .init(conflict: conflict, isAutoincrement: true)
            return nil
        } else if take("UNIQUE") {
            let columns = indexedColumns().columns
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
        // A constraint name may appear without a constraint.
        if !isNext(",", ")") { skipUnexpected() }
        return nil
    }

    private mutating func column() -> ColumnDefinition {
        var column = ColumnDefinition(name: name())
        column.type = type()
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

    /// Takes the type as SQLite stores it: its text with whitespace and comments, or only the first name if that is quoted.
    private mutating func type() -> String {
        let start = tokens
        while let token = tokens.first, token.isOfType, !isGenerated { tokens.removeFirst() }
        guard tokens.startIndex > start.startIndex else { return "" }
        _ = group()
        return start.first?.kind == .word ? text(start[..<tokens.startIndex]) : start.first?.text ?? ""
    }

    private var isGenerated: Bool {
        tokens.first?.is("GENERATED") == true && tokens.dropFirst().first?.is("ALWAYS") == true
    }

    private mutating func columnConstraint(of column: inout ColumnDefinition, named name: String?) {
        for key in ColumnDefinition.Constraint.Key.allCases {
            guard let constraint = columnConstraint(key, named: name) else { continue }
            return column.add(constraint)
        }
        if take("NULL") {
            _ = conflict()
        } else if let deferral = deferral() {
            // A deferral after another constraint still applies to the last foreign key.
            if let last = column.references.indices.last { column.references[last].deferral = deferral }
        } else if !take("GENERATED", "ALWAYS") {
            // Without `AS`, SQLite treats these two words as the end of the type, and omits them.
            skipUnexpected()
        }
    }

    /// Takes a constraint of the given kind, if the next tokens are one.
    private mutating func columnConstraint(
        _ key: ColumnDefinition.Constraint.Key, named name: String?
    ) -> ColumnDefinition.Constraint? {
        switch key {
        case .primaryKey:
            guard take("PRIMARY", "KEY") else { return nil }
            let order = order()
            let conflict = conflict()
            return .primaryKey(.init(order: order, conflict: conflict, isAutoincrement: take("AUTOINCREMENT")))
        case .notNull: return take("NOT", "NULL") ? .notNull(.init(conflict: conflict())) : nil
        case .unique: return take("UNIQUE") ? .unique(.init(conflict: conflict())) : nil
        case .defaultValue: return take("DEFAULT") ? .defaultValue(SQL(raw: defaultValue())) : nil
        case .check: return take("CHECK") ? .check(.init(name: name, condition: SQL(raw: parenthesised()))) : nil
        case .collation: return take("COLLATE") ? .collation(self.name()) : nil
        case .references: return take("REFERENCES") ? .references(reference()) : nil
        case .generated:
            guard take("GENERATED", "ALWAYS", "AS") || take("AS") else { return nil }
            let expression = SQL(raw: parenthesised())
            let isStored = take("STORED")
            if !isStored { _ = take("VIRTUAL") }
            return .generated(.init(expression: expression, isStored: isStored))
        }
    }

    private mutating func defaultValue() -> String {
        if isNext("(") { return text(group()) }
        let start = tokens
        guard let first = tokens.popFirst() else { return "" }
        if first.is("+") || first.is("-") { tokens = tokens.dropFirst() }
        return text(start[..<tokens.startIndex])
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
            } else if take("ON", "INSERT") {
                // SQLite accepts it without effect.
                _ = action()
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

    /// Parses `CREATE UNIQUE INDEX name ON table(…) WHERE …`.
    mutating func index() -> (columns: [IndexedColumn], isUnique: Bool, condition: SQL?) {
        let isUnique = take("CREATE", "UNIQUE")
        skip(to: "ON")
        _ = name()
        let columns = indexedColumns().columns
        return (columns, isUnique, take("WHERE") ? SQL(raw: text(tokens)) : nil)
    }

    private mutating func indexedColumns() -> (columns: [IndexedColumn], isAutoincrement: Bool) {
        guard take("(") else { return ([], false) }
        var columns: [IndexedColumn] = []
        var isAutoincrement = false
        while !tokens.isEmpty, !take(")") {
            if take(",") { continue }
            var term = item()
            if term.last?.is("AUTOINCREMENT") == true {
                term.removeLast()
                isAutoincrement = true
            }
            columns.append(indexedColumn(term))
        }
        return (columns, isAutoincrement)
    }

    private func indexedColumn(_ term: ArraySlice<Token>) -> IndexedColumn {
        var term = term
        var column = IndexedColumn("")
        if term.count > 1, let last = term.last, last.is("ASC") || last.is("DESC") {
            column.order = last.is("ASC") ? .ascending : .descending
            term.removeLast()
        }
        // `COLLATE` binds more tightly than any operator. After an operator it does not apply to the whole term.
        let inner = term.dropLast(2)
        let isOperand = inner.count == 1 || inner.isGroup || inner.first?.isOfType == true && inner.dropFirst().isGroup
        if isOperand, let last = term.last, term[term.endIndex - 2].is("COLLATE") {
            column.collation = last.text
            term = inner
        }
        if term.count == 1, let name = term.first, name.isOfType {
            column.term = .column(name.text)
        } else {
            column.term = .expression(SQL(raw: text(term)))
        }
        return column
    }
}

extension BidirectionalCollection<UInt8> {
    /// Returns the bytes without SQLite's whitespace at both ends.
    fileprivate func trimmingBlanks() -> SubSequence {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0c, 0x0d]
        let start = drop { blanks.contains($0) }
        guard let last = start.lastIndex(where: { !blanks.contains($0) }) else { return start }
        return start[...last]
    }
}
