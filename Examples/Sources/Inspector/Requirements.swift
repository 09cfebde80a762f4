import Squall

/// The tables and columns that a program uses, as its build recorded them.
private let requirements = ExpectedSchema(
    sqliteVersion: "3.40.1",
    tables: [
        .init(
            "books",
            [
                .init("id", "INTEGER", isNotNull: true), .init("title", "TEXT", isNotNull: true),
                .init("author", "TEXT", isNotNull: false), .init("cover", "BLOB", isNotNull: true),
                .init("isbn", "TEXT", isNotNull: false),
            ]),
        .init("shelves", []),
    ])

func printRequirements(on connection: Connection) throws {
    let required = requirements.tables.flatMap(\.columns).filter(\.isNotNull).count
    print("A program checked with SQLite \(requirements.sqliteVersion) needs \(required) columns without NULL:")
    do {
        try connection.require(requirements)
    } catch let mismatch as SchemaMismatch {
        let isOtherSQLite = mismatch.expectedSQLiteVersion != mismatch.sqliteVersion
        print("  it cannot run\(isOtherSQLite ? ", here with another SQLite" : "")")
        for difference in mismatch.differences { print("  \(cure(of: difference))") }
    }
}

private func cure(of difference: SchemaMismatch.Difference) -> String {
    switch difference {
    case .missingTable(let table): "create \(table)"
    case .missingColumn(let table, let column): "add \(column) to \(table)"
    case .type(let table, let column, let expected, let found):
        "convert \(table).\(column) from \(found) to \(expected)"
    case .nullable(let table, let column): "fill the gaps of \(table).\(column)"
    }
}
