import Squall

extension Change {
    /// Runs the change on a connection.
    func run(_ connection: Connection, _ verbs: ItemVerbs, _ shape: TableShape) throws {
        switch self {
        case .insert(let rows, .record): try verbs.insert(connection, rows)
        case .update(let row, .record): try require(verbs.update(connection, row), "update found no row")
        case .upsert(let row, .record): try verbs.upsert(connection, row)
        case .replace(let row, .record): try verbs.replace(connection, row)
        case .delete(let row, .record): try require(verbs.delete(connection, row), "delete found no row")
        case .move(let row, let id, _, .record): try require(verbs.move(connection, row, id), "a move found no row")
        default: try connection.execute("\(raw: sql(shape))")
        }
    }

    /// The line of Swift that runs the change.
    func swift(_ shape: TableShape) -> String {
        switch self {
        case .insert(let rows, .record) where rows.count > 1:
            "try c.table(items).insert(contentsOf: [\(rows.map { $0.swift(shape) }.joined(separator: ", "))])"
        case .insert(let rows, .record): "try c.table(items).insert(\(rows[0].swift(shape)))"
        case .update(let row, .record): "try c.table(items).update(\(row.swift(shape)))"
        case .upsert(let row, .record):
            "try c.table(items).upsert(\(row.swift(shape)), onConflict: \(shape.key == .composite ? "\\.part, " : "")\\.id)"
        case .replace(let row, .record): "try c.table(items).replace(\(row.swift(shape)))"
        case .delete(let row, .record): "try c.table(items).delete(\(row.swift(shape)))"
        case .move(let row, let id, _, .record):
            "try c.table(items).update { $0.id.set(to: \(shape.key.swift(id))); $0.part.set(to: \(id % 3)) } "
                + "where: { $0.id == \(shape.key.swift(row.id)) && $0.part == \(row.part) }"
        default: "try c.execute(#\"\(sql(shape))\"#)"
        }
    }

    private func sql(_ shape: TableShape) -> String {
        let columns = TableShape.columns
        switch self {
        case .insert(let rows, _):
            let values = rows.map { "(\($0.sqlValues(shape).joined(separator: ", ")))" }.joined(separator: ", ")
            return "INSERT INTO items(\(columns.joined(separator: ", "))) VALUES\(values)"
        case .replace(let row, _):
            let values = row.sqlValues(shape).joined(separator: ", ")
            return "REPLACE INTO items(\(columns.joined(separator: ", "))) VALUES(\(values))"
        case .update(let row, _):
            let values = zip(columns, row.sqlValues(shape)).dropFirst(2).map { "\($0) = \($1)" }
            return "UPDATE items SET \(values.joined(separator: ", ")) WHERE \(shape.condition(row.id))"
        case .upsert(let row, _):
            let values = row.sqlValues(shape).joined(separator: ", ")
            let updates = columns.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            let target = shape.key == .composite ? "part, id" : "id"
            return "INSERT INTO items(\(columns.joined(separator: ", "))) VALUES(\(values)) "
                + "ON CONFLICT(\(target)) DO UPDATE SET \(updates)"
        case .delete(let row, _): return "DELETE FROM items WHERE \(shape.condition(row.id))"
        case .move(let row, let id, let replaces, _):
            return "UPDATE \(replaces ? "OR REPLACE " : "")items SET id = \(shape.key.sql(id)), part = \(id % 3) "
                + "WHERE \(shape.condition(row.id))"
        case .mark(let part): return "UPDATE items SET note = 'marked alpha' WHERE part = \(part)"
        case .setLate(let part, let value):
            let text = value.map { "\($0)" } ?? "NULL"
            return "UPDATE items SET \(shape.lateColumn ?? "") = \(text) WHERE part = \(part)"
        case .deletePart(let part): return "DELETE FROM items WHERE part = \(part)"
        case .insertAuthor(let id): return "INSERT INTO authors VALUES(\(id), 'owner')"
        case .renameAuthor(let id): return "UPDATE authors SET name = 'renamed' WHERE id = \(id)"
        case .replaceAuthor(let id): return "REPLACE INTO authors VALUES(\(id), 'replaced')"
        case .deleteAuthor(let id): return "DELETE FROM authors WHERE id = \(id)"
        case .moveAuthor(let id, let other): return "UPDATE authors SET id = \(other) WHERE id = \(id)"
        }
    }
}
