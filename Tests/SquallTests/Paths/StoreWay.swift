import SquallStore
import Squall

/// A way into or out of a store whose database is elsewhere: values and rows are copied between them.
enum StoreWay: String, CaseIterable {
    case insert, insertMany, update, updateColumns, set, upsert, run, runWithList
    case all, allOfQuery, first, firstOfQuery, find, query, queryOfValues, queryWithList, forEach, rows
    case count, exists, countOfQuery, existsInQuery, delete, deleteWhere

    /// Returns the record that the way stores or reads, in a table without rows; `nil` where it is not found.
    func record<C: FormColumn>(_ record: FormHolder<C>, in connection: StoreConnection) async throws -> FormHolder<C>? {
        typealias Record = FormHolder<C>
        let stored = try C.stored(record.value)
        let base = C.base(record.value)
        func isFound(_ columns: Columns<Record>) -> Condition { columns.value == base && columns.id == record.id }
        if writes {
            try await connection.run("INSERT INTO holders VALUES(\(record.id + 1), \(stored), 'other')")
        } else {
            try await connection.run("INSERT INTO holders VALUES(\(record.id), \(stored), \(record.note))")
        }
        func update(_ body: () async throws -> Void) async throws {
            try await connection.run("INSERT INTO holders VALUES(\(record.id), \(stored), 'old')")
            try await body()
        }
        func isStored(_ values: [BindingValue]) async throws -> Bool {
            guard values.count == 1 else { return false }
            // By SQL, as a column may convert the value.
            return try await connection.query("SELECT value IS \(values[0]) FROM holders WHERE id = \(record.id)")
                ?? false
        }
        var found = record
        switch self {
        case .insert: try await connection.insert(record)
        case .insertMany: try await connection.insert(contentsOf: [record])
        case .update: try await update { try await connection.update(record) }
        case .updateColumns: try await update { try await connection.update(record, \Record.value, \Record.note) }
        case .set:
            try await update {
                try await connection.update(Record.self) {
                    $0.value.set(to: record.value)
                    $0.note.set(to: record.note)
                } where: {
                    $0.id == record.id
                }
            }
        case .upsert: try await update { try await connection.upsert(record, onConflict: \Record.id) }
        case .run:
            try await connection.run("INSERT INTO holders VALUES(?, ?, ?)", record.id, stored, record.note)
        case .runWithList:
            try await connection.run(
                "INSERT INTO holders VALUES(:id, :value, :note)",
                ["id": record.id, "value": stored, "note": record.note] as [String: (any Bindable)?])
        case .all: return try await connection.all(Record.self).first
        case .allOfQuery: return try await connection.all(Record.where(isFound)).first
        case .first: return try await connection.first(Record.self)
        case .firstOfQuery: return try await connection.first(Record.where(isFound))
        case .find: return try await connection.find(Record.self, record.id)
        case .query:
            let value: BindingValue = try await connection.query("SELECT value FROM holders WHERE id = ?", record.id)
            return try await isStored([value]) ? found : nil
        case .queryOfValues:
            let values: [BindingValue] = try await connection.query(
                "SELECT value FROM holders WHERE value IS ?", stored)
            return try await isStored(values) ? found : nil
        case .queryWithList:
            let value: BindingValue = try await connection.query(
                "SELECT value FROM holders WHERE value IS :value", ["value": stored] as [String: (any Bindable)?])
            return try await isStored([value]) ? found : nil
        case .forEach:
            nonisolated(unsafe) var values: [BindingValue] = []
            try await connection.forEach("SELECT value FROM holders WHERE value IS ?", stored) { row in
                let value: BindingValue = try row.get(0)
                values.append(value)
            }
            return try await isStored(values) ? found : nil
        case .rows:
            let rows = try await connection.query("SELECT value FROM holders WHERE value IS ?", stored, as: Row.self)
            return try await isStored(rows.map { try $0.get(0) }) ? found : nil
        case .count: return try await connection.count(Record.self, where: isFound) == 1 ? found : nil
        case .countOfQuery: return try await connection.count(Record.where(isFound)) == 1 ? found : nil
        case .exists: return try await connection.exists(Record.self, where: isFound) ? found : nil
        case .existsInQuery: return try await connection.exists(Record.where(isFound)) ? found : nil
        case .delete: return try await connection.delete(record) ? found : nil
        case .deleteWhere: return try await connection.delete(Record.self, where: isFound) == 1 ? found : nil
        }
        found.note = try await connection.query("SELECT note FROM holders WHERE id = ?", record.id) ?? ""
        return try await isStored([stored]) ? found : nil
    }

    private var writes: Bool {
        switch self {
        case .insert, .insertMany, .update, .updateColumns, .set, .upsert, .run, .runWithList: true
        default: false
        }
    }
}
