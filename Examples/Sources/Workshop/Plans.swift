import Squall

/// The tables that a program declares.
private struct Guest: TableRecord {
    let id: Int64?
    let name: String
    let age: Int
    let room: Int?

    static let table = Table("guests", Guest.init, .check("room < 100"), .strict) {
        Column("id", \Guest.id, .primaryKey)
        Column("name", \Guest.name)
        Column("age", \Guest.age)
        Column("room", \Guest.room)
    }
}

private struct Room: TableRecord {
    let number: Int

    static let table = Table("rooms", Room.init) { Column("number", \Room.number, .primaryKey) }
}

/// Compares files of several ages with the tables, and changes the files.
func comparePlans() throws {
    print("Plans:")
    let key: SQL = "id INTEGER PRIMARY KEY, name TEXT NOT NULL"
    try bringUpToDate("\(key), age INTEGER NOT NULL, room INTEGER, CHECK (room < 100)", options: " STRICT")
    try bringUpToDate("\(key), age INTEGER NOT NULL", options: " STRICT")
    try bringUpToDate("\(key), age INTEGER NOT NULL, fax INTEGER", options: " STRICT")
    try bringUpToDate("\(key), age TEXT, room INTEGER, CHECK (room < 50)")
}

private func bringUpToDate(_ columns: SQL, options: SQL = "") throws {
    let connection = try Connection(":memory:")
    try connection.execute("CREATE TABLE guests(\(columns))\(options)")
    try connection.execute("INSERT INTO guests(id, name, age) VALUES(1, 'Ada', '36'), (2, 'Bo', '007')")

    let plan: SchemaPlan = try connection.plan(toMatch: Guest.table, Room.table)
    let costs = plan.changes.filter { $0.table == "guests" }.map(cost)
    print("  guests: \(costs.isEmpty ? "as declared" : costs.joined(separator: ", "))")
    let losses = allowance(for: plan.losses)
    let outcomes = try plan.apply(allowing: losses)
    for (table, outcome) in outcomes.sorted(by: { $0.key < $1.key }) { print("    \(table): \(news(of: outcome))") }
}

/// Returns the work that a change takes. SQLite itself can only add and drop columns.
private func cost(of change: TableChange) -> String {
    switch change {
    case .createTable, .createIndex, .dropIndex: "\(change.table) gets what is new"
    case .addColumn(let column, _): "\(column.name) is added in place"
    case .dropColumn(let column, _): "\(column.name) is dropped"
    case .changeColumn(let old, let new, _): "\(new.name) is rebuilt from \(old.type)"
    case .addConstraint(let constraint, _), .dropConstraint(let constraint, _): "a rebuild for \(constraint.rule)"
    case .changeOptions(let strict, _, _): strict ? "a rebuild that checks all types" : "a rebuild"
    }
}

extension TableConstraint {
    fileprivate var rule: String {
        if case .check(let condition) = kind { condition.text } else { "a constraint" }
    }
}

/// Allows what a person would allow: an old column may go, rows may not.
private func allowance(for losses: [SchemaLoss]) -> AllowedLosses {
    var allowed: AllowedLosses = []
    for loss in losses {
        switch loss {
        case .column: allowed.insert(.columns)
        case .conversion(_, let column, let values, let type):
            print("    \(values) value of \(column) is converted to \(type)")
            allowed.insert(.conversions)
        case .rows(let table, let count, _): print("    \(count) rows of \(table) would be lost")
        }
    }
    return allowed
}

private func news(of outcome: SyncOutcome) -> String {
    switch outcome {
    case .alreadyInSync: "nothing to do"
    case .newTableCreated: "empty"
    case .newColumnsAdded: "more columns"
    case .oldColumnsRemoved: "fewer columns"
    case .newColumnsAddedAndOldColumnsRemoved: "other columns"
    case .tableChanged: "other rules for the same rows"
    case .droppedAndRecreated: "the rows are lost"
    }
}
