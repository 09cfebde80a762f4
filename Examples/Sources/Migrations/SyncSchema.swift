import SQLiteORMCompatibility

private struct User: TableRecord {
    let id: Int64?
    let name: String
    let age: Int?

    static let table = Table("users", User.init) {
        Column("id", \User.id, .primaryKey)
        Column("name", \User.name)
        Column("age", \User.age)
    }
}

/// The rules of SQLiteORM's `syncSchema`, with a new file for each rule.
func syncOfSQLiteORM() throws {
    print("\nSQLiteORM: sync")
    try sync("a file without the table", "CREATE TABLE other(a)")
    try sync("the same", "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER)")
    try sync("a column is missing", "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    try sync(
        "a column too many", "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, fax TEXT)")
    try sync("one of each", "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT)")
    try sync("a column may be NULL, but is not", "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, age INTEGER)")
    // Existing rows have no value for the required name. They cannot be kept, and are lost only if the caller allows it.
    let old: SQL = "CREATE TABLE users(id INTEGER PRIMARY KEY, age INTEGER)"
    try sync("a column cannot be added", old)
    try sync("a column cannot be added", old, preserve: false)
}

private func sync(_ what: String, _ sql: SQL, preserve: Bool = true) throws {
    let storage = try Storage(":memory:", User.table)
    try storage.database.blocking.writeWithoutTransaction { connection in
        try connection.execute(sql)
        if let users = try connection.tableInfo("users") {
            let name: SQL = users.columns.contains { $0.name == "name" } ? "name" : "age"
            try connection.execute("INSERT INTO users(\(name)) VALUES('7')")
        }
    }
    do {
        let outcomes = try storage.sync(preserve: preserve)
        let count = try storage.database.blocking.read { try $0.count("users") }
        print("\(what): \(outcomes["users"].map { "\($0)" } ?? "nothing"), rows: \(count)")
    } catch let error as SchemaError {
        print("\(what): \(error)")
    }
}
