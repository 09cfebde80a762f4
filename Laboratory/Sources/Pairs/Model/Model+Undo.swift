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
                guard let merged = row.taking(stepped, backTo: old) else { return nil }
                new.items[id] = merged
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
    fileprivate func taking(_ after: ItemRow, backTo before: ItemRow) -> ItemRow? {
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
        return hasConflict ? nil : row
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
