extension Model {
    /// Takes a step back: gives the columns that it has changed the values from before it.
    ///
    /// - Returns: The rows afterwards; `nil` where one of these columns was changed since.
    func taking(_ after: Model, backTo before: Model) -> Model? {
        var new = self
        for id in Set(before.items.keys).union(after.items.keys) {
            switch (before.items[id], after.items[id], items[id]) {
            case (let old, let stepped, _) where old == stepped: continue
            case (let old, let stepped, let row) where stepped == row: new.items[id] = old
            case (let old?, let stepped?, let row?):
                let merged = row.taking(stepped, backTo: old)
                if merged.hasConflict { return nil }
                new.items[id] = merged.row
            default: return nil
            }
        }
        for id in Set(before.authors.keys).union(after.authors.keys) where before.authors[id] != after.authors[id] {
            guard authors[id] == after.authors[id] else { return nil }
            new.authors[id] = before.authors[id]
        }
        return new
    }
}

extension ItemRow {
    /// Takes a change of the row back.
    ///
    /// - Returns: The row with the values from before the change, and whether it has other values than the change has written.
    func taking(_ after: ItemRow, backTo before: ItemRow) -> (row: ItemRow, hasConflict: Bool) {
        var (row, hasConflict) = (self, false)
        func take<Value: Equatable>(_ column: WritableKeyPath<ItemRow, Value>) {
            if before[keyPath: column] == after[keyPath: column] { return }
            if self[keyPath: column] != after[keyPath: column] { hasConflict = true }
            row[keyPath: column] = before[keyPath: column]
        }
        take(\.bytesOfName)
        take(\.price)
        take(\.bytesOfNote)
        take(\.owner)
        take(\.stars)
        take(\.code)
        take(\.seen)
        take(\.data)
        take(\.late)
        return (row, hasConflict)
    }

    /// The name by its bytes: `==` of `String` also holds for equivalent characters.
    fileprivate var bytesOfName: [UInt8] {
        get { Array(name.utf8) }
        set { name = String(decoding: newValue, as: UTF8.self) }
    }

    fileprivate var bytesOfNote: [UInt8]? {
        get { note.map { Array($0.utf8) } }
        set { note = newValue.map { String(decoding: $0, as: UTF8.self) } }
    }
}
