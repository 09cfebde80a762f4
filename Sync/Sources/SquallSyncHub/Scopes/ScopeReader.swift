import Squall
import SquallBase
import SquallChanges

/// The rows that a principal sees, read in one transaction on one connection.
///
/// Rows that are not in a table are read through its `RowSets`.
final class ScopeReader {
    private let scopes: HubScopes
    var principal: SyncPrincipal
    private let connection: Connection
    private var shapes: [Identifier: TableShape] = [:]
    private var rowSets: [Identifier: RowSets] = [:]

    init(_ scopes: HubScopes, _ principal: SyncPrincipal, on connection: Connection) {
        self.scopes = scopes
        self.principal = principal
        self.connection = connection
    }

    /// The changes of tables since an earlier time, which are undone to read the tables as they were.
    typealias Undo = [Identifier: [SyncChange]]

    static func byTable(_ changes: [SyncChange]) -> Undo { Dictionary(grouping: changes) { Identifier($0.table) } }

    func hasTable(_ name: String) -> Bool { scopes.tables.contains { $0.name == Identifier(name) } }

    // MARK: - Changes

    /// Returns the changes that a device receives.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - before: All changes since the position before them.
    ///   - after: All changes since the position after them.
    func changes(
        _ changes: Undo, undoing before: @autoclosure () throws -> Undo, to after: Undo
    ) throws -> [SyncChange] {
        try scopes.tables.flatMap { table in
            let own = changes[table.name] ?? []
            guard let condition = table.visible else { return own }
            let others = condition.tables.filter { changes[$0] != nil }
            if others.isEmpty { return try compare(own, of: table.name, condition, after, after) }
            let before = try before()
            if !condition.isMonotone { return try compareAll(table.name, condition, own, before, after) }
            let concerned = try rows(of: table.name, condition, concernedBy: others, changes, before, after)
            return try compare(own + concerned, of: table.name, condition, before, after)
        }
    }

    /// Returns those of some changes that the principal sees, each as far as it does.
    private func compare(
        _ changes: [SyncChange], of table: Identifier, _ condition: ScopeCondition, _ before: Undo, _ after: Undo
    ) throws -> [SyncChange] {
        if changes.isEmpty { return [] }
        let shape = try shape(of: table)
        let had = try visible(changes.map(\.old), of: table, condition, before)
        let has = try visible(changes.map(\.new), of: table, condition, after)
        return changes.enumerated().compactMap { position, change in
            let (old, new) = (had.contains(position) ? change.old : nil, has.contains(position) ? change.new : nil)
            return old == new ? nil : shape.change(old, new)
        }
    }

    /// Returns the unchanged rows that may enter or leave because of changes of tables that the condition reads, as changes from the row to itself.
    ///
    /// A row that enters is found with a changed row of one of these tables, and rows of the others as they are; one that leaves, as they were.
    private func rows(
        of table: Identifier, _ condition: ScopeCondition, concernedBy others: [Identifier], _ changes: Undo,
        _ before: Undo, _ after: Undo
    ) throws -> [SyncChange] {
        let shape = try shape(of: table)
        var keys = Set((changes[table] ?? []).map { shape.key(of: $0.new ?? $0.old ?? []) })
        var result: [SyncChange] = []
        for other in others {
            var parts = try condition.tables.filter { before[$0] != nil || after[$0] != nil }.map { name in
                let rows =
                    name == other
                    ? changes[name, default: []].flatMap { [$0.old, $0.new] }
                    : (before[name, default: []] + after[name, default: []]).map(\.old)
                return try expression(name, named: self.shape(of: name).name, rows, isAdded: name != other)
            }
            let source = try source(of: table, after, &parts)
            try connection.forEach(
                """
                WITH \(parts.joined(separator: ", "))
                SELECT \(shape.columnList) FROM \(source) WHERE \(condition.sql(for: principal))
                """
            ) { row in
                let row = row.columns.map(\.bindingValue)
                if keys.insert(shape.key(of: row)).inserted { result.append(shape.change(row, row)) }
            }
        }
        return result
    }

    /// Compares all visible rows before and after, because a table has changed that the condition reads.
    private func compareAll(
        _ table: Identifier, _ condition: ScopeCondition, _ changes: [SyncChange], _ before: Undo, _ after: Undo
    ) throws -> [SyncChange] {
        let shape = try shape(of: table)
        let changed = Dictionary(changes.map { (shape.key(of: $0.new ?? $0.old ?? []), $0) }) { first, _ in first }
        var had: Set<[BindingValue]> = []
        try connection.forEach(select(shape.keyList, of: table, condition, before)) { row in
            had.insert(row.columns.map(\.bindingValue))
        }
        var result: [SyncChange] = []
        try connection.forEach(select(shape.columnList, of: table, condition, after)) { row in
            let row = row.columns.map(\.bindingValue)
            let key = shape.key(of: row)
            if had.remove(key) == nil {
                result.append(shape.change(nil, row))
            } else if let change = changed[key] {
                result.append(shape.change(change.old, row))
            }
        }
        for key in had {
            var values = key[...]
            let row = shape.isKey.map { $0 ? values.removeFirst() : BindingValue.null }
            result.append(shape.change(row, nil))
        }
        return result
    }

    // MARK: - Rows

    /// Returns the positions of those rows that the principal sees.
    private func visible(
        _ rows: [[BindingValue]?], of table: Identifier, _ condition: ScopeCondition, _ undo: Undo
    ) throws -> Set<Int> {
        if rows.allSatisfy({ $0 == nil }) { return [] }
        let sets = try rowSets(of: table)
        return try Set(positions(in: sets, sets.add(rows), condition, undo))
    }

    private func positions(
        in sets: RowSets, _ number: Int, _ condition: ScopeCondition, _ undo: Undo
    ) throws -> [Int] {
        let shape = sets.shape
        // The first part has no rows. It gives the columns the collations of the table.
        return try connection.query(
            """
            \(with(condition.tables, undo)) SELECT \(name: shape.position) FROM (
                SELECT \(shape.columnList), 0 AS \(name: shape.position) FROM main.\(name: shape.name) WHERE 0 UNION ALL
                SELECT \(shape.columnList), \(name: shape.position) FROM \(name: sets.function)(\(number))
            ) AS \(name: shape.name) WHERE \(condition.sql(for: principal))
            """)
    }

    /// Whether the principal sees the row of the hub in a conflict.
    func shows(_ conflict: SyncConflict) throws -> Bool {
        guard let row = conflict.row else { return true }
        guard let scoped = scopes.tables.first(where: { $0.name == Identifier(conflict.change.table) }) else {
            return false
        }
        guard let condition = scoped.visible else { return true }
        let sets = try rowSets(of: scoped.name)
        sets.replaceAll(by: row)
        return try holds(condition, in: sets)
    }

    /// Returns the reason why the principal may not change a row, or make it.
    func refusal(_ table: String, _ row: [BindingValue]) throws -> String? {
        guard let scoped = scopes.tables.first(where: { $0.name == Identifier(table) }) else {
            return "\(table) does not take part"
        }
        for condition in [scoped.visible, scoped.writable] {
            guard let condition else { continue }
            let sets = try rowSets(of: scoped.name)
            sets.replaceAll(by: row)
            if try !holds(condition, in: sets) { return "this row of \(table) may not be written" }
        }
        return nil
    }

    /// Whether a condition holds for the row of the first set. It does not if it fails for this row: text that a function reads as JSON may be no
    /// JSON. It throws if it fails for any row.
    private func holds(_ condition: ScopeCondition, in sets: RowSets) throws -> Bool {
        do { return try !positions(in: sets, 0, condition, [:]).isEmpty } catch let error as SQLiteError
            where error.isOfCondition && error.problem(SyncScopeProblem.self) == nil
        {
            sets.replaceAll(by: sets.shape.columns.map { _ in .null })
            _ = try positions(in: sets, 0, condition, [:])
            return false
        }
    }

    /// Returns a `SELECT` in parentheses of the rows of a table that the principal sees; `nil` for all of them as they are now.
    func part(of table: Identifier, undoing undo: Undo) throws -> SQL? {
        guard let scoped = scopes.tables.first(where: { $0.name == table }) else { return nil }
        if scoped.visible == nil, undo[table] == nil { return nil }
        return try "(\(select(shape(of: table).columnList, of: table, scoped.visible, undo)))"
    }

    // MARK: - SQL

    private func shape(of table: Identifier) throws -> TableShape {
        if let shape = shapes[table] { return shape }
        let shape = try TableShape(table.spelling, on: connection)
        shapes[table] = shape
        return shape
    }

    private func rowSets(of table: Identifier) throws -> RowSets {
        if let sets = rowSets[table] { return sets }
        let sets = try RowSets(shape(of: table), number: rowSets.count, on: connection)
        rowSets[table] = sets
        return sets
    }

    private func select(
        _ columns: SQL, of table: Identifier, _ condition: ScopeCondition?, _ undo: Undo
    ) throws -> SQL {
        var parts = try pasts(of: condition?.tables ?? [], undo)
        let source = try source(of: table, undo, &parts)
        let with: SQL = parts.isEmpty ? "" : "WITH \(parts.joined(separator: ", "))"
        let filter: SQL = try condition.map { "WHERE \(try $0.sql(for: principal))" } ?? ""
        return "\(with) SELECT \(columns) FROM \(source) \(filter)"
    }

    /// Returns a table as it was, under its name. Subqueries that name the table do not read it.
    private func source(of table: Identifier, _ undo: Undo, _ parts: inout [SQL]) throws -> SQL {
        let name = try shape(of: table).name
        guard let changes = undo[table] else { return "main.\(name: name)" }
        parts.append(try past(table, named: "_scoped_source", changes))
        return "_scoped_source AS \(name: name)"
    }

    private func with(_ tables: [Identifier], _ undo: Undo) throws -> SQL {
        let parts = try pasts(of: tables, undo)
        return parts.isEmpty ? "" : "WITH \(parts.joined(separator: ", "))"
    }

    /// Returns common table expressions with the names of tables that have changed, and their rows as they were.
    private func pasts(of tables: [Identifier], _ undo: Undo) throws -> [SQL] {
        try tables.compactMap { table in
            try undo[table].map { try past(table, named: shape(of: table).name, $0) }
        }
    }

    private func past(_ table: Identifier, named name: String, _ changes: [SyncChange]) throws -> SQL {
        let (shape, sets) = (try shape(of: table), try rowSets(of: table))
        let changed = sets.add(changes.map { $0.new ?? $0.old })
        return try expression(
            table, named: name, changes.map(\.old), isAdded: true,
            where:
                "WHERE \(shape.hasNullKey) OR (\(shape.keyList)) NOT IN (SELECT \(shape.keyList) FROM \(name: sets.function)(\(changed)))"
        )
    }

    /// Returns a common table expression of rows.
    ///
    /// - Parameters:
    ///   - isAdded: Whether the rows of the table are among them, as far as a condition chooses them.
    private func expression(
        _ table: Identifier, named name: String, _ rows: [[BindingValue]?], isAdded: Bool, where condition: SQL = ""
    ) throws -> SQL {
        let (shape, sets) = (try shape(of: table), try rowSets(of: table))
        let present: SQL = isAdded ? condition : "WHERE 0"
        return """
            \(name: name)(\(shape.columnList)) AS (
                SELECT \(shape.columnList) FROM main.\(name: shape.name) \(present)
                UNION ALL SELECT \(shape.columnList) FROM \(name: sets.function)(\(sets.add(rows))))
            """
    }
}

extension SQLiteError {
    /// Whether a condition failed, for a row or for a principal, and not the database.
    var isOfCondition: Bool {
        [.error, .mismatch, .tooBig].contains(resultCode) || problem(SyncScopeProblem.self) != nil
    }
}
