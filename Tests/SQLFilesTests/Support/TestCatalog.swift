import Squall

@testable import SquallSQLFiles

enum TestCatalog {
    static func read(_ connection: Connection) throws -> Catalog {
        var catalog = Catalog()
        let rows: [(String, String, String)] = try connection.query(
            "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'view')"
        ) { row in
            (try row.get(0), try row.get(1), try row.get(2))
        }
        for (type, name, sql) in rows {
            let without = sql.contains("WITHOUT ROWID")
            let columns: [CatalogColumn] = try connection.query(
                "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(\(name))"
            ) { row in
                let (column, declared): (String, String) = (try row.get(0), try row.get(1))
                let pk: Int = try row.get(3)
                let isRowID = pk > 0 && declared == "INTEGER"
                let notNull: Int = try row.get(2)
                let hidden: Int = try row.get(4)
                let swift: ValueType? =
                    type == "view"
                    ? nil
                    : isRowID || column == "aID"
                        ? .rowID
                        : declared == "INTEGER"
                            ? .int
                            : declared == "TEXT"
                                ? .string
                                : declared == "REAL"
                                    ? .double : declared == "BLOB" ? .data : declared == "BOOLEAN" ? .bool : nil
                return CatalogColumn(
                    name: Name(column), declaredType: declared, isNotNull: notNull == 1 || isRowID, isRowID: isRowID,
                    isHidden: hidden == 1, isGenerated: hidden > 1, type: swift)
            }
            catalog.tables[Name(name)] = CatalogTable(
                name: Name(name), kind: type == "view" ? .view(sql: sql) : .table, columns: columns,
                hasRowID: type == "table" && !without)
        }
        return catalog
    }
}
