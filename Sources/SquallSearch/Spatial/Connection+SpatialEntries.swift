import Squall

extension Connection {
    /// Inserts a box into an R*Tree: `INSERT INTO "boxes"("id", "minX", "maxX", …) VALUES(?, ?, ?, …)`.
    ///
    ///     try connection.insert(SpatialBox(0...2, 1...3), id: 7, into: boxes)
    ///
    /// - Parameters:
    ///   - box: The box. SQLite stores it with its sides rounded outward.
    ///   - id: The key; `nil` for one that SQLite assigns.
    ///   - table: The R*Tree.
    ///   - auxiliary: The values of auxiliary columns by name.
    ///   - conflict: The action for a key that exists: `INSERT OR REPLACE INTO …`
    /// - Returns: The key.
    /// - Throws: `SQLiteError`: `SQLITE_CONSTRAINT` (19) for a key that exists; `SQLITE_LOCKED` (6) while a query of the R*Tree has
    ///   rows left; `SQLITE_MISUSE` (21), with a ``SpatialProblem``, for a box with another number of dimensions,
    ///   and for a coordinate that is too large.
    @discardableResult
    public func insert(
        _ box: SpatialBox, id: Int64? = nil, into table: SpatialTable, auxiliary: ColumnValues = [:],
        or conflict: ConflictResolution? = nil
    ) throws -> Int64 {
        let coordinates = zip(table.boxColumns, try table.values(id, box)).map { ($0, $1 as (any Settable)?) }
        let others = auxiliary.map { ($0.key, $0.value) }
        try run(SQL.insert(into: table.name, coordinates + others, or: conflict))
        return lastInsertRowID
    }

    /// Inserts boxes with their keys into an R*Tree, in one transaction.
    ///
    /// It runs `INSERT INTO "boxes"("id", "minX", "maxX", …) VALUES(?, ?, ?, …)` for each of them.
    ///
    /// - Throws: As ``insert(_:id:into:auxiliary:or:)``; nothing is inserted then.
    public func insert(
        contentsOf boxes: some Sequence<(id: Int64, box: SpatialBox)>, into table: SpatialTable
    ) throws {
        let columns = table.boxColumns
        let parameters: SQL = columns.map { _ in "?" as SQL }.joined(separator: ", ")
        try savepoint(named: "squall_insert") {
            let statement = try prepare("INSERT INTO \(table)(\(names: columns)) VALUES(\(parameters))")
            for (id, box) in boxes {
                let values = try table.values(id, box).map { $0 as (any Bindable)? }
                try statement.bind(values).run()
            }
        }
    }

    /// Replaces the box of an entry: `UPDATE "boxes" SET "minX" = ?, … WHERE "id" = ?`. Auxiliary columns keep their values.
    ///
    /// - Returns: Whether there is such an entry.
    /// - Throws: As ``insert(_:id:into:auxiliary:or:)``.
    @discardableResult
    public func update(_ box: SpatialBox, id: Int64, in table: SpatialTable) throws -> Bool {
        let assignments = zip(table.boxColumns, try table.values(id, box)).dropFirst()
            .map { "\(name: $0) = \($1)" as SQL }
        try run(
            "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(name: table.key) = \(id)")
        return changes > 0
    }

    /// Returns an entry of an R*Tree: `SELECT … FROM "boxes" WHERE "boxes"."id" = ?`; `nil` if there is none with this key.
    ///
    /// - Throws: `SQLiteError`: `SQLITE_CORRUPT` (11) for a damaged R*Tree.
    public func entry(_ id: Int64, in table: SpatialTable) throws -> SpatialEntry? {
        try read(table, "\(name: table.name).\(name: table.key) = \(id)", nil).first
    }

    /// Returns the entries of an R*Tree that a condition finds: `SELECT … FROM "boxes" WHERE …`.
    ///
    ///     let near = try connection.entries(boxes.overlapping(SpatialBox(0...2, 0...2)))
    ///
    /// The entries are in the order in which SQLite finds them. A spatial function determines it by its scores.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - limit: The maximum number of entries.
    /// - Throws: `SQLiteError`: `SQLITE_CORRUPT` (11) for a damaged R*Tree; `SQLITE_MISUSE` (21), with a
    ///   ``SpatialProblem``, for a box with another number of dimensions. The error of a spatial function.
    public func entries(_ condition: SpatialCondition, limit: Int? = nil) throws -> [SpatialEntry] {
        try read(condition.table, condition.sql, limit)
    }

    /// Returns all entries of an R*Tree: `SELECT … FROM "boxes"`.
    ///
    /// - Throws: `SQLiteError`: `SQLITE_CORRUPT` (11) for a damaged R*Tree.
    public func entries(of table: SpatialTable) throws -> [SpatialEntry] { try read(table, nil, nil) }

    private func read(_ table: SpatialTable, _ condition: SQL?, _ limit: Int?) throws -> [SpatialEntry] {
        var entries: [SpatialEntry] = []
        try forEach(table.query(condition, limit: limit)) { entries.append(try table.entry($0)) }
        return entries
    }
}
