extension Connection {
    /// Creates an R*Tree: `CREATE VIRTUAL TABLE "boxes" USING rtree("id", "minX", "maxX", …)`.
    ///
    /// - Parameters:
    ///   - table: The declaration.
    ///   - ifNotExists: Whether an existing table of this name is left as it is, whatever its columns.
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) for an existing table, a column named twice, and a SQLite without R*Tree;
    ///   `SQLITE_MISUSE` (21), of the kind ``SQLiteError/Kind/spatialTable(_:_:)``, for a number of dimensions other than 1 to 5.
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
    /// An entry has the key of its row. A row with NULL in a coordinate has no entry. A row whose smallest coordinate is greater than
    /// the largest cannot be written. The auxiliary columns of the R*Tree are NULL.
    ///
    /// The triggers, named `boxes_inserted`, `boxes_deleted` and `boxes_updated`, work in the recommended configuration. SQLite runs no
    /// trigger for a row that REPLACE deletes because of another unique column, unless `PRAGMA recursive_triggers` is on.
    ///
    /// It runs one transaction: `CREATE TRIGGER` for each trigger, then `DELETE FROM "boxes"` and `INSERT INTO "boxes"(…) SELECT …`.
    ///
    /// - Parameters:
    ///   - table: The R*Tree.
    ///   - content: The name of the table that it follows, in the same file.
    ///   - key: The column of that table that is its `INTEGER PRIMARY KEY`.
    ///   - bounds: The columns of that table for each dimension. For points, they are one column twice.
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) for an unknown table or column, and for triggers that exist;
    ///   `SQLITE_CONSTRAINT` (19) for a row whose smallest coordinate is greater than the largest; `SQLITE_MISUSE` (21) for another number
    ///   of bounds than dimensions.
    public func createTriggers(
        for table: SpatialTable, following content: String, key: String = "id",
        bounds: [(minimum: String, maximum: String)]
    ) throws {
        guard bounds.count == table.dimensions.count else { throw table.dimensionError(bounds.count) }
        let source = [key] + bounds.flatMap { [$0.minimum, $0.maximum] }
        /// `SELECT new."id", new."x", … WHERE new."x" IS NOT NULL AND …`
        func selection(_ prefix: SQL, from rows: SQL = "") -> SQL {
            let columns = source.map { "\(prefix)\(name: $0)" as SQL }
            let conditions = columns.dropFirst().map { "\($0) IS NOT NULL" as SQL }
            return """
                INSERT INTO \(table)(\(names: table.boxColumns)) \
                SELECT \(columns.joined(separator: ", "))\(rows) WHERE \(conditions.joined(separator: " AND "))
                """
        }
        func deletion(_ row: SQL) -> SQL {
            "DELETE FROM \(table) WHERE \(name: table.key) = \(row).\(name: key);"
        }
        func trigger(_ suffix: String, _ event: SQL, _ body: SQL) -> SQL {
            "CREATE TRIGGER \(name: "\(table.name)_\(suffix)") AFTER \(event) ON \(name: content) BEGIN \(body) END"
        }
        try savepoint(named: "squall_follow") {
            // An entry of the key is deleted first: the policy of the statement, such as OR IGNORE, is that of its triggers as well.
            try run(trigger("inserted", "INSERT", "\(deletion("new")) \(selection("new."));"))
            try run(trigger("deleted", "DELETE", deletion("old")))
            try run(trigger("updated", "UPDATE", "\(deletion("old")) \(deletion("new")) \(selection("new."));"))
            try run("DELETE FROM \(table)")
            try run(selection("\(name: content).", from: " FROM \(name: content)"))
        }
    }

    /// Checks an R*Tree for damage: `SELECT rtreecheck(?)`.
    ///
    /// - Returns: SQLite's descriptions of the problems; empty if there are none.
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) if the table is not there or not an R*Tree; `SQLITE_CORRUPT` (11) if it is too
    ///   damaged for the check.
    public func integrityCheck(of table: SpatialTable) throws -> [String] {
        let report: String = try query("SELECT rtreecheck(\(table.name))")
        let lines = report.split(separator: "\n").map(String.init)
        return lines == ["ok"] ? [] : lines
    }
}
