import SquallChanges

/// The rows after changes were applied to a copy that has changed too.
struct AppliedChanges {
    private(set) var model: Model
    /// The kinds of conflicts that the changes have with rows of the copy.
    private(set) var kinds: Set<Changeset.Conflict.Kind> = []
    /// Whether a constraint decides about the rows besides.
    private(set) var isConstrained = false
    /// The items that are new.
    private(set) var inserted = 0

    /// Applies the changes from one model to another one.
    ///
    /// - Parameters:
    ///   - replaces: Whether changes win over rows of the copy.
    ///   - runsActions: Whether a deletion runs the action of the foreign key.
    init(
        of before: Model, to after: Model, in copy: Model, replaces: Bool, runsActions: Bool, _ shape: TableShape
    ) {
        model = copy
        for id in Set(before.items.keys).union(after.items.keys) where before.items[id] != after.items[id] {
            changeItem(id, before.items[id], after.items[id], replaces)
        }
        for id in Set(before.authors.keys).union(after.authors.keys) where before.authors[id] != after.authors[id] {
            changeAuthor(id, before.authors[id], after.authors[id], replaces, runsActions, shape)
        }
        let isOrphaned = shape.reference != nil && !model.hasAllAuthors
        // Rows can exchange their codes, which SQLite cannot apply.
        let codes = before.items.compactMapValues(\.code) != after.items.compactMapValues(\.code)
        isConstrained = isConstrained || isOrphaned || !model.hasUniqueCodes || codes
    }

    private mutating func changeItem(_ id: Int64, _ old: ItemRow?, _ new: ItemRow?, _ replaces: Bool) {
        switch (old, new, model.items[id]) {
        case (nil, let new?, nil):
            model.items[id] = new
            inserted += 1
        case (nil, let new?, _?):
            kinds.insert(.conflict)
            if replaces { model.items[id] = new }
        case (let old?, let new?, let row?):
            let changed = row.taking(old, backTo: new)
            if changed.hasConflict { kinds.insert(.data) }
            if !changed.hasConflict || replaces { model.items[id] = changed.row }
        case (let old?, nil, let row?):
            if row != old { kinds.insert(.data) }
            if row == old || replaces { model.items[id] = nil }
        case (_?, _, nil): kinds.insert(.notFound)
        case (nil, nil, _): break
        }
    }

    private mutating func changeAuthor(
        _ id: Int64, _ old: String?, _ new: String?, _ replaces: Bool, _ runsActions: Bool, _ shape: TableShape
    ) {
        guard let name = model.authors[id] else {
            if old == nil { model.authors[id] = new } else { kinds.insert(.notFound) }
            return
        }
        if old == nil {
            kinds.insert(.conflict)
            // The row that is replaced is deleted before.
            if replaces, shape.reference != nil { isConstrained = true }
        } else if name != old {
            kinds.insert(.data)
        }
        if name != old, !replaces { return }
        guard let new else {
            if model.refuses(.deleteAuthor(id), shape) { isConstrained = true }
            if runsActions { model.deleteAuthor(id, shape) } else { model.authors[id] = nil }
            return
        }
        model.authors[id] = new
    }
}

extension Model {
    /// Whether rows have exchanged their codes on the way to another model: SQLite cannot apply such changes.
    func hasExchangedCodes(with other: Model) -> Bool {
        let owners = Dictionary(uniqueKeysWithValues: rows.compactMap { row in row.code.map { ($0, row.id) } })
        return other.items.values.contains { start in
            var row = start
            // Each step leads to the row that had the code before.
            for _ in other.items {
                guard let next = row.code.flatMap({ owners[$0] }), next != row.id, let former = other.items[next] else {
                    return false
                }
                if next == start.id { return true }
                row = former
            }
            return false
        }
    }
}
