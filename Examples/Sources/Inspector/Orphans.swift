import Squall

/// Prints the rows that refer to rows that do not exist.
func printOrphans(on connection: Connection) throws {
    print("Orphans:")
    for orphan in try connection.foreignKeyCheck() { print("  \(try description(of: orphan, on: connection))") }
}

/// A violation has the number of its constraint, by which SQLite lists the columns.
private func description(of orphan: ForeignKeyViolation, on connection: Connection) throws -> String {
    let column: String = try connection.query(
        #"SELECT "from" FROM pragma_foreign_key_list(\#(orphan.table)) WHERE id = \#(orphan.constraintIndex)"#)
    let value: String = try connection.query(
        "SELECT CAST(\(name: column) AS TEXT) FROM \(name: orphan.table) WHERE rowid = \(orphan.rowID)")
    return "\(orphan.table).\(column) is \(value), which \(orphan.parent) does not have"
}
