import Squall

// The books of a small company beside the statements of its bank: what is on one side only, sums of accounts that contain others, and
// corrections from the other side, each in one statement.

func ledger() throws {
    let connection = try Connection()
    for table: any RecordTable in [Account.table, Entry.table, BankLine.table, ClosedPeriod.table] {
        try connection.create(table)
    }
    try printKeys(Entry.table.definition)
    try post(connection)
    try refuse(connection)
    try reconcile(connection)
    try compareSets(connection)
    try sumTrees(connection)
    try correct(connection)
    try readInParts(connection)
}

/// Prints the indexes of a table, and the columns that refer to another table without the help of an index.
private func printKeys(_ table: TableDefinition) throws {
    print("# \(table.name)")
    for index in table.indexes {
        let terms = index.columns.map { column in
            text(column.term) + (column.order == .descending ? ", newest first" : "")
                + (column.collation.map { ", as \($0)" } ?? "")
        }
        print("\(index.name): \(terms.joined(separator: "; "))")
    }
    let firstColumns = table.indexes.compactMap { $0.columns.first?.columnName }
    for column in table.columns where !column.references.isEmpty && !firstColumns.contains(column.name) {
        print("no index helps to find the rows of one \(column.name)")
    }
}

private func text(_ term: IndexedColumn.Term) -> String {
    switch term {
    case .column(let name): "the column \(name)"
    case .expression(let sql): "the expression \(sql.text)"
    }
}
