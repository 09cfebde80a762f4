import Squall

/// A table in words.
struct TableReport {
    let table: TableDefinition

    init(_ table: TableDefinition) { self.table = table }

    var text: String {
        let isAlias = table.rowIDColumn.map { ", rows are found fastest by \($0)" } ?? ""
        let kinds = [table.isStrict ? "strict" : nil, table.isWithoutRowID ? "sorted by its key" : nil].compactMap(
            \.self)
        var lines = ["\(table.name)\(kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))")\(isAlias)"]
        lines += table.columns.map { "  \($0.name): \(words(on: $0).joined(separator: ", "))" }
        lines += table.constraints.map { "  \($0.name.map { "\($0): " } ?? "")\(words(on: $0))" }
        lines += table.indexes.map { "  \(words(on: $0))" }
        lines += table.triggers.map { "  \(words(on: $0))" }
        return lines.joined(separator: "\n")
    }

    private func words(on column: ColumnDefinition) -> [String] {
        var words = [column.type.isEmpty ? "anything" : column.type]
        if let key: ColumnDefinition.PrimaryKey = column.primaryKey {
            words.append(key.isAutoincrement ? "a key that is never used twice" : "the key\(effect(of: key.conflict))")
        }
        if let rule: ColumnDefinition.NotNull = column.notNull { words.append("required\(effect(of: rule.conflict))") }
        if let rule: ColumnDefinition.Unique = column.unique { words.append("unique\(effect(of: rule.conflict))") }
        if let value = column.defaultValue { words.append("otherwise \(value.text)") }
        if let collation = column.collation { words.append("compared by \(collation)") }
        words += column.checks.map { (check: ColumnDefinition.Check) in "if \(check.condition.text)" }
        if let generated: ColumnDefinition.Generated = column.generated {
            words.append("\(generated.isStored ? "kept as" : "computed as") \(generated.expression.text)")
        }
        words += column.references.map { "a row of \($0.table)" }
        return words
    }

    private func words(on constraint: TableConstraint) -> String {
        switch constraint.kind {
        case .check(let condition): "only if \(condition.text)"
        case .unique(let columns, let conflict):
            "unique together: \(columns.compactMap(\.columnName).joined(separator: ", "))\(effect(of: conflict))"
        case .primaryKey(let columns, let conflict):
            "the key: \(columns.compactMap(\.columnName).joined(separator: ", "))\(effect(of: conflict))"
        case .foreignKey(let columns, let reference):
            "\(columns.joined(separator: ", ")): a row of \(reference.table)"
        }
    }

    private func words(on index: IndexDefinition) -> String {
        let columns = index.columns.map { column in
            let term: IndexedColumn.Term = column.term
            let name = if case .expression(let sql) = term { "computed \(sql.text)" } else { column.columnName ?? "" }
            let order: SortOrder = column.order ?? .ascending
            let collation = column.collation.map { " as \($0) compares" } ?? ""
            return name + collation + (order == .descending ? ", the last first" : "")
        }
        let rows = index.condition.map { " of the rows where \($0.text)" } ?? ""
        return "an index\(index.isUnique ? " without duplicates" : "") by \(columns.joined(separator: " and "))\(rows)"
    }

    private func words(on trigger: TriggerDefinition) -> String {
        "\(trigger.name) runs when \(trigger.table) is written"
    }

    /// Returns the words on a row that breaks a rule, where the rule does more than refuse it.
    private func effect(of conflict: ConflictResolution?) -> String {
        switch conflict {
        case nil, .abort: ""
        case .rollback: " or the transaction is undone"
        case .fail: " or the statement stops halfway"
        case .ignore: " or the row is left out silently"
        case .replace: " or other data give way"
        }
    }
}

/// Returns a view in words. It can be written if it has triggers.
func report(on view: ViewDefinition) -> String {
    let triggers = view.triggers.map(\.name)
    return "\(view.name), a view\(triggers.isEmpty ? "" : " that \(triggers.joined(separator: ", ")) can write")"
}
