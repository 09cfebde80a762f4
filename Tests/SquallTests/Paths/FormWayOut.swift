import Squall

/// A way of records out of a table.
enum FormWayOut: String, CaseIterable {
    case all, allWhere, allOfTable, allOfQuery, find, findInTable, findByKey, findKeys, first, firstOfQuery
    case sql, sqlInAnotherOrder, firstOfSQL, rowsOfSQL, forEach, forEachOfQuery, rows, page
    case record, recordAfterAColumn, optionalRecord, columns, joined, leftJoined, commonTable, union
    case insertReturning, upsertedRow, updateReturning, deleteReturning

    /// Whether it reads what a RETURNING clause returns.
    var returns: Bool {
        switch self {
        case .insertReturning, .upsertedRow, .updateReturning, .deleteReturning: true
        default: false
        }
    }

    /// Returns all records. The table has those that are given.
    func records<C: FormColumn>(_ known: [FormHolder<C>], on connection: Connection) throws -> [FormHolder<C>] {
        typealias Record = FormHolder<C>
        let sql: SQL = "SELECT note, 7 AS more, VALUE, id FROM holders"
        switch self {
        case .all: return try connection.all(Record.self)
        case .allWhere: return try connection.all(Record.self) { $0.id > 0 }
        case .allOfTable: return try connection.table(Record.table).all()
        case .allOfQuery: return try connection.all(Record.order { $0.note }.limit(100))
        case .find: return try known.compactMap { try connection.find(Record.self, $0.id) }
        case .findInTable: return try known.compactMap { try connection.table(Record.table).find($0.id) }
        case .findByKey: return try known.compactMap { try connection.find(Record.self, key: $0.id) }
        case .findKeys: return try connection.find(Record.self, keys: known.map(\.id))
        case .first: return try known.compactMap { known in try connection.first(Record.self) { $0.id == known.id } }
        case .firstOfQuery:
            return try known.compactMap { known in try connection.first(Record.where { $0.id == known.id }) }
        case .sql: return try connection.all(Record.self, "SELECT * FROM holders")
        case .sqlInAnotherOrder: return try connection.all(Record.self, sql)
        case .firstOfSQL:
            return try known.compactMap {
                try connection.first(Record.self, "SELECT * FROM holders WHERE id = ?", $0.id)
            }
        case .rowsOfSQL:
            var found: [Record] = []
            var rows = try connection.rows(sql, as: Record.self)
            while let record = try rows.next() { found.append(record) }
            return found
        case .forEach:
            var found: [Record] = []
            try connection.forEach(Record.self) { found.append($0) }
            return found
        case .forEachOfQuery:
            var found: [Record] = []
            try connection.forEach(Record.where { $0.id > 0 }) { found.append($0) }
            return found
        case .rows:
            var found: [Record] = []
            var rows = try connection.rows(Record.where { $0.id > 0 })
            while let record = try rows.next() { found.append(record) }
            return found
        case .page:
            let query = Record.order { C.Base.isOrderedInSQL ? $0.value.ascending : $0.note.ascending }
            var page = try connection.page(query, size: 2)
            var found = page.items
            while let next = page.next {
                page = try connection.page(query, after: next, size: 2)
                found += page.items
            }
            return found
        case .record: return try connection.all(Record.select { ($0.record, $0.id) }).map(\.0)
        case .recordAfterAColumn: return try connection.all(Record.select { ($0.note, $0.record) }).map(\.1)
        case .optionalRecord:
            return try connection.all(Record.leftJoin(Record.self) { $0.id == $1.id }.select { $1.record })
                .compactMap(\.self)
        case .columns:
            return try connection.all(Record.select { ($0.id, $0.value, $0.note) })
                .map { Record(id: $0.0, value: $0.1, note: $0.2) }
        case .joined: return try connection.all(Record.join(Record.self) { $0.id == $1.id }).map(\.1)
        case .leftJoined:
            return try connection.all(Record.leftJoin(Record.self) { $0.id == $1.id }).compactMap(\.1)
        case .commonTable:
            return try connection.all(
                Record.with("ranked", Record.where { $0.id > 0 }) { $0.id == $1.id }.select { $1.record })
        case .union: return try connection.all(Record.where { $0.id < 3 }.union(Record.where { $0.id > 2 }))
        case .insertReturning:
            try connection.run("DELETE FROM holders")
            return try known.map { try connection.insertReturning($0) }
        case .upsertedRow:
            let values = try known.map { known in
                try connection.upsert(known, onConflict: \Record.id) {
                    $0.value.set(to: $0.excluded.value)
                } returning: {
                    $0.value
                }
            }
            return zip(known, values).compactMap { known, value in
                value.map { Record(id: known.id, value: $0, note: known.note) }
            }
        case .updateReturning:
            return try connection.updateReturning(Record.self) {
                $0.note.set(to: $0.note)
            } where: {
                $0.id > 0
            }
        case .deleteReturning:
            let deleted = try connection.deleteReturning(Record.self) { $0.id > 0 }
            try connection.insert(contentsOf: known)
            return deleted
        }
    }
}
