import Squall

extension Connection {
    /// Creates an R*Tree: `CREATE VIRTUAL TABLE "boxes" USING rtree("id", "minX", "maxX", …)`.
    ///
    /// - Parameters:
    ///   - table: The declaration.
    ///   - ifNotExists: Whether an existing table of this name is left as it is, whatever its columns.
    /// - Throws: `SQLiteError`: `SQLITE_ERROR` (1) for an existing table, a column named twice, and a SQLite without R*Tree;
    ///   `SQLITE_MISUSE` (21), with a ``SpatialProblem``, for a number of dimensions other than 1 to 5.
    public func create(_ table: SpatialTable, ifNotExists: Bool = false) throws {
        try run(table.definition(ifNotExists: ifNotExists))
    }

    /// Makes an R*Tree follow a table: three triggers on the table keep it in step, and the rows that are there are added. Other
    /// entries of the R*Tree are deleted.
    ///
    ///     try connection.create(boxes)
    ///     try connection.createTriggers(
    ///         for: boxes, following: "places", bounds: [("x", "x"), ("y", "y")])
    ///
    /// An entry has the key of its row, and its sides are rounded outward. A row with NULL in a coordinate has no entry. The auxiliary
    /// columns of the R*Tree are NULL.
    ///
    /// A statement that writes coordinates that are not a box fails, also with OR IGNORE: a value that is TEXT, a BLOB, infinite or too
    /// large, or a smallest coordinate that is greater than the largest.
    ///
    /// The triggers, named `boxes_inserted`, `boxes_deleted` and `boxes_updated`, work in the recommended configuration. SQLite runs no
    /// trigger for a row that REPLACE deletes because of another unique column, unless `PRAGMA recursive_triggers` is on.
    ///
    /// Call it again to fill the R*Tree again, such as after a step of a schema history that rebuilt the table. Triggers of these names
    /// are replaced.
    ///
    /// It runs one transaction: `DROP TRIGGER IF EXISTS` and `CREATE TRIGGER` for each trigger, then `DELETE FROM main."boxes"`
    /// and `INSERT INTO main."boxes"(…) SELECT …`.
    ///
    /// - Parameters:
    ///   - table: The R*Tree.
    ///   - content: The name of the table that it follows, in the same file.
    ///   - key: The column of that table that is its `INTEGER PRIMARY KEY`.
    ///   - bounds: The columns of that table for each dimension. For points, they are one column twice.
    /// - Throws: `SQLiteError`: `SQLITE_ERROR` (1) for an unknown table or column; `SQLITE_CONSTRAINT` (19), with a
    ///   ``SpatialProblem``, for a row whose coordinates are not a box; `SQLITE_MISUSE` (21) for another number of
    ///   bounds than dimensions, and for a key that is not an INTEGER.
    public func createTriggers(
        for table: SpatialTable, following content: String, key: String = "id",
        bounds: [(minimum: String, maximum: String)]
    ) throws {
        guard bounds.count == table.dimensions.count else { throw table.dimensionError(bounds.count) }
        let columns = try catalog().columns(ofTable: content)
        // The R*Tree would take every text as the key 0.
        if let column = columns.first(where: { $0.name.isSameName(as: key) }), Affinity(column.type) != .integer {
            throw SQLiteError(SpatialProblem.key(column: column.name, table: content), of: .table(table.name))
        }
        let source = SpatialSource(table: table, content: content, key: key, bounds: bounds)
        try savepoint(named: "squall_follow") {
            for trigger in source.triggers {
                try run("DROP TRIGGER IF EXISTS main.\(name: trigger.name)")
                try run(trigger.definition)
            }
            if let id: Int64 = try query(source.misfit) {
                throw SQLiteError(SpatialProblem.source(table: content, id: id), of: .table(table.name))
            }
            try run("DELETE FROM main.\(table)")
            try run(source.filling)
        }
    }

    /// Checks an R*Tree for damage: `SELECT rtreecheck(?)`.
    ///
    /// - Returns: SQLite's descriptions of the problems; empty if there are none.
    /// - Throws: `SQLiteError`: `SQLITE_ERROR` (1) if the table is not there or not an R*Tree; `SQLITE_CORRUPT` (11) if it is too
    ///   damaged for the check; `SQLITE_BUSY` (5) outside a transaction in a function that a statement calls which writes.
    public func integrityCheck(of table: SpatialTable) throws -> [String] {
        let check = { () throws -> String in try self.query("SELECT rtreecheck(\(table.name))") }
        // Outside a transaction, `rtreecheck` begins one, and leaves it open if a statement that writes is in progress. The
        // savepoint is refused there.
        let report =
            try isInTransaction ? check() : savepoint(named: "squall_check", transactionType: .deferred, closure: check)
        let lines = report.split(separator: "\n").map(String.init)
        return lines == ["ok"] ? [] : lines
    }
}
