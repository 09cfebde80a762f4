import Squall

/// A way of a record into a table: it stores a record, in place of the one that has its key.
enum FormWayIn: String, CaseIterable {
    case insert, insertIntoTable, insertOrIgnore, insertMany, insertReturning, preparedRecord, preparedValues
    case replace, replaceMany, tableOfRecords
    // These change a row that is there.
    case upsert, upsertMany, upsertSetting, update, updateColumns, updateChangedFrom, set, setReturning,
        updateWhatWasRead

    func put<C: FormColumn>(_ new: FormHolder<C>, over other: C.Property, on connection: Connection) throws {
        try connection.run("DELETE FROM holders WHERE id = ?", new.id)
        let old = FormHolder<C>(id: new.id, value: other, note: "old")
        if Self.upsert.isBefore(self) { try connection.insert(old) }
        switch self {
        case .insert: try connection.insert(new)
        case .insertIntoTable: try connection.table(FormHolder<C>.table).insert(new)
        case .insertOrIgnore: try connection.insert(new, orIgnore: true)
        case .insertMany: try connection.insert(contentsOf: [new])
        case .insertReturning: _ = try connection.insertReturning(new)
        case .preparedRecord: try connection.prepareInsert(FormHolder<C>.self).run(new)
        case .preparedValues: try connection.prepareInsert(into: FormHolder<C>.table).run(new.id, new.value, new.note)
        case .replace: try connection.replace(new)
        case .replaceMany: try connection.replace(contentsOf: [old, new])
        case .tableOfRecords:
            try connection.withTable("incoming", [new]) {
                try $0.run("INSERT INTO holders SELECT id, value, note FROM incoming")
            }
        case .upsert: try connection.upsert(new, onConflict: \FormHolder<C>.id)
        case .upsertMany: try connection.insert(contentsOf: [new], onConflict: \FormHolder<C>.id)
        case .upsertSetting:
            try connection.upsert(new, onConflict: \FormHolder<C>.id) {
                $0.value.set(to: $0.excluded.value)
                $0.note.set(to: $0.excluded.note)
            }
        case .update: try connection.update(new)
        case .updateColumns: try connection.update(new, \FormHolder<C>.value, \FormHolder<C>.note)
        case .updateChangedFrom: try connection.update(new, changedFrom: old)
        case .set:
            try connection.update(FormHolder<C>.self) {
                $0.value.set(to: new.value)
                $0.note.set(to: new.note)
            } where: {
                $0.id == new.id
            }
        case .setReturning:
            _ = try connection.updateReturning(FormHolder<C>.self) {
                $0.value.set(to: new.value)
                $0.note.set(to: new.note)
            } where: {
                $0.id == new.id
            }
        case .updateWhatWasRead:
            try connection.update(new)
            for _ in 0..<3 {
                if let read = try connection.find(FormHolder<C>.self, new.id) { try connection.update(read) }
            }
        }
    }

    /// Whether it reads the value that it has stored.
    var reads: Bool {
        switch self {
        case .insertReturning, .setReturning, .updateWhatWasRead: true
        default: false
        }
    }

    private func isBefore(_ other: Self) -> Bool {
        let all = Self.allCases
        return all.firstIndex(of: self) ?? 0 <= all.firstIndex(of: other) ?? 0
    }
}
