extension TableDefinition {
    /// Returns the changes that turn this table into another one. The result is empty for tables that behave alike, however
    /// they are written.
    ///
    /// The order of columns makes no difference. Indexes and triggers that the other table lacks are left alone. The changes
    /// contain the definitions of the two tables unchanged. Run as steps of a ``Version``, they lead to the other table.
    public func changes(to other: TableDefinition) -> [TableChange] { TableComparison(from: self, to: other).changes }
}

/// The comparison of two definitions of a table.
struct TableComparison {
    private let old: TableDefinition
    private let new: TableDefinition
    private let newForm: CanonicalTable

    init(from old: TableDefinition, to new: TableDefinition) {
        self.old = old
        self.new = new
        newForm = CanonicalTable(new)
    }

    /// The changes that turn the old definition into the new one: see ``TableDefinition/changes(to:)``.
    var changes: [TableChange] {
        var changes = columnChanges
        changes += constraintChanges(after: changes)
        if old.isStrict != new.isStrict || old.isWithoutRowID != new.isWithoutRowID {
            changes.append(
                .changeOptions(strict: new.isStrict, withoutRowID: new.isWithoutRowID, table: old.name)
            )
        }
        return changes + indexChanges
    }

    private var columnChanges: [TableChange] {
        let oldForm = CanonicalTable(old)
        var (dropped, changed, keyed, added): ([TableChange], [TableChange], [TableChange], [TableChange]) = (
            [], [], [], []
        )
        for column in old.columns where newForm.columns[Identifier(column.name)] == nil {
            dropped.append(.dropColumn(column, table: old.name))
        }
        for column in new.columns {
            guard let before = old.column(column.name) else {
                added.append(.addColumn(column, table: old.name))
                continue
            }
            let id = Identifier(column.name)
            let oldConstraints = before.ownConstraints.map { CanonicalConstraint($0, of: old) }
            let newConstraints = column.ownConstraints.map { CanonicalConstraint($0, of: new) }
            let isSame =
                newForm.constraints.isSuperset(of: oldConstraints)
                && oldForm.constraints.isSuperset(of: newConstraints)
            guard oldForm.columns[id] != newForm.columns[id] || !isSame else { continue }
            let change = TableChange.changeColumn(from: before, to: column, table: old.name)
            if column.primaryKey == nil { changed.append(change) } else { keyed.append(change) }
        }
        // A column gets the key only after the old key column has lost it, because two columns would share the key.
        return dropped + changed + keyed + added
    }

    /// Returns the constraint changes that remain after the column changes, which are tried on a draft.
    private func constraintChanges(after changes: [TableChange]) -> [TableChange] {
        var draft = TableDraft(old, aliases: [])
        // These steps cannot fail, because each column exists or is missing as its step requires.
        for change in changes { if let step = change.columnStep { try? draft.apply(step) } }
        let reached = draft.table
        let owned = Set(
            changes.flatMap(\.ownConstraints).map { CanonicalConstraint($0, of: reached) })
        var result: [TableChange] = []
        var dropped: Set<CanonicalConstraint> = []
        for constraint in reached.constraints + reached.columns.flatMap(\.checksOfTable) {
            let form = CanonicalConstraint(constraint.kind, of: reached)
            // A constraint that is now declared with its column is removed from the table.
            guard !newForm.constraints.contains(form) || owned.contains(form), dropped.insert(form).inserted else {
                continue
            }
            result.append(.dropConstraint(constraint, table: old.name))
        }
        var there = CanonicalTable(reached).constraints
        for constraint in new.constraints + new.columns.flatMap(\.checksOfTable) {
            guard there.insert(CanonicalConstraint(constraint.kind, of: new)).inserted else { continue }
            result.append(.addConstraint(constraint, table: old.name))
        }
        for kind in new.columns.flatMap(\.ownConstraints) {
            guard there.insert(CanonicalConstraint(kind, of: new)).inserted else { continue }
            result.append(.addConstraint(TableConstraint(kind), table: old.name))
        }
        return result
    }

    private var indexChanges: [TableChange] {
        new.indexes.flatMap { index -> [TableChange] in
            let own = old.indexes.first { $0.name.isSameName(as: index.name) }
            guard let own else { return [.createIndex(index)] }
            return CanonicalIndex(own) == CanonicalIndex(index) ? [] : [.dropIndex(own), .createIndex(index)]
        }
    }
}

extension ColumnDefinition {
    fileprivate var checksOfTable: [TableConstraint] {
        checks.map { TableConstraint(name: $0.name, .check($0.condition)) }
    }
}

extension TableChange {
    /// The table constraints that are declared with the column of the change.
    fileprivate var ownConstraints: [TableConstraint.Kind] {
        switch self {
        case .addColumn(let column, _), .changeColumn(_, let column, _): column.ownConstraints
        default: []
        }
    }

    /// The step that ``description`` prints, if the change affects a column.
    fileprivate var columnStep: TableAlteration? {
        switch self {
        case .addColumn(let column, _): .add(column, filling: nil)
        case .dropColumn(let column, _): .drop(column.name)
        case .changeColumn(_, let column, _):
            .change(ColumnChange(column: column, hasType: true, dropped: .all, filling: nil))
        default: nil
        }
    }
}
