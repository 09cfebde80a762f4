extension TableDefinition {
    /// What must be done to make this table another one; nothing for tables that do the same, however they are written.
    ///
    /// The order of columns makes no difference. Indexes and triggers that the other one does not have are left alone.
    public func changes(to other: TableDefinition) -> [TableChange] {
        let (old, new) = (canonical, other.canonical)
        var changes: [TableChange] = []
        for (column, form) in zip(columns, old.columns) where !new.columns.contains(where: { $0.name == form.name }) {
            changes.append(.dropColumn(column, table: name))
        }
        for (column, form) in zip(other.columns, new.columns) {
            guard let index = old.columns.firstIndex(where: { $0.name == form.name }) else {
                changes.append(.addColumn(column, table: name))
                continue
            }
            guard old.columns[index] != form else { continue }
            changes.append(.changeColumn(from: columns[index], to: column, table: name))
        }
        let (before, after) = (Set(old.constraints), Set(new.constraints))
        changes += old.constraints.filter { !after.contains($0) }.map { .dropConstraint($0, table: name) }
        changes += new.constraints.filter { !before.contains($0) }.map { .addConstraint($0, table: name) }
        if isStrict != other.isStrict || isWithoutRowID != other.isWithoutRowID {
            changes.append(
                .changeOptions(strict: other.isStrict, withoutRowID: other.isWithoutRowID, table: name)
            )
        }
        return changes + indexChanges(to: other)
    }

    private func indexChanges(to other: TableDefinition) -> [TableChange] {
        other.indexes.flatMap { index -> [TableChange] in
            let own = indexes.first { $0.name.lowercased() == index.name.lowercased() }
            guard let own else { return [.createIndex(index)] }
            return own.canonical == index.canonical ? [] : [.dropIndex(own), .createIndex(index)]
        }
    }
}
