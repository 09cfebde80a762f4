// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

extension VerbTests {
    @Test func runningSQL() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let folder = try TemporaryDirectory()
        let script = URL(fileURLWithPath: folder.file("script.sql"))
        try Data("DELETE FROM sold; VACUUM".utf8).write(to: script)
        try verb { try connection.run("DELETE FROM cars WHERE id = \(7)") }
        try verb { try connection.execute("DELETE FROM sold; VACUUM") }
        try verb { try connection.execute(contentsOf: script) }
        try verb { try connection.query("SELECT price FROM cars WHERE id = ?", 1) as Int? }
        try verb { try connection.query("SELECT name FROM cars") as [String] }
        try verb { try connection.query("SELECT name, price FROM cars", as: (String, Int).self) }
        try verb { try connection.first("SELECT name, price FROM cars", as: (String, Int).self) }
        try verb { try connection.forEach("SELECT * FROM cars") { row in _ = row.columns } }
        var names = try verb(none: "the statement runs as rows are read") { try connection.rows("SELECT name FROM cars", as: String.self) }
        _ = try names.next()
        try verb { try connection.withDeadline(.seconds(2)) { try connection.run("SELECT 1") } }
        try verb(none: "prepares the statement") { try connection.prepare("SELECT name FROM cars WHERE price < ?", 20) }
        try verb.finish("SQL and its rows")
    }

    @Test func preparedStatements() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let statement = try connection.prepare("SELECT name FROM cars WHERE price < ?")
        let update = try connection.prepare("UPDATE cars SET price = ? WHERE id = ?", 50, 1)
        try verb(none: "sets parameters") { try statement.bind(20) }
        try verb { try statement.query() as [String] }
        try verb { try statement.forEach { row in _ = row.columns } }
        try verb { try statement.step() }
        try verb(none: "ends the run of the statement") { try statement.reset() }
        try verb { try update.run() }
        try verb(none: "counters of the statement") { statement.resetStatus() }
        try verb(none: "prepares the statement") { try connection.prepareInsert(into: Car.table) }
        try verb(none: "prepares the statement") { try connection.prepareInsert(Car.self) }
        let insert = try connection.prepareInsert(into: Car.table)
        let insertCar = try connection.prepareInsert(Car.self)
        try verb { try insert.run(nil, "Saab", 7) }
        try verb { try insertCar.run(Car(id: nil, name: "Seat", price: 8)) }
        try verb.finish("Prepared statements")
    }

    @Test func transactions() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        try verb { try connection.transaction { try connection.run("DELETE FROM sold") } }
        try verb { try connection.savepoint { try connection.run("DELETE FROM sold") } }
        try verb.finish("Transactions")
    }

    @Test func tablesByName() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        try verb { try connection.createTable("parts", ["id INTEGER PRIMARY KEY", "name TEXT"]) }
        try verb { try connection.addColumn("size INTEGER", to: "parts") }
        try verb { try connection.createIndex("parts_name", on: "parts", "name") }
        try verb { try connection.insert(into: "parts", ["name": "Belt", "size": 3]) }
        try verb { try connection.upsert(into: "parts", ["id": 1, "size": 4], onConflict: "id") }
        try verb { try connection.update("parts", set: ["size": 5], where: "name = \("Belt")") }
        try verb { try connection.update("parts", rowIDs: [1, 2], set: ["size": 6]) }
        try verb { try connection.select("name", from: "parts", orderBy: "name", limit: 10) as [String] }
        try verb { try connection.selectIDs(from: "parts", where: "size > 5") }
        try verb { try connection.count("parts", where: "size > 5") }
        try verb { try connection.delete(from: "parts", where: "size > 5") }
        try verb { try connection.delete(from: "parts", rowIDs: [1, 2]) }
        try verb { try connection.dropIndex("parts_name") }
        try verb { try connection.renameTable("parts", to: "pieces") }
        try verb { try connection.dropTable("pieces") }
        try verb.finish("Tables by name")
    }

    @Test func theSchema() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let expected = ExpectedSchema(sqliteVersion: "3.40.1", tables: [ExpectedSchema.Table("cars", [ExpectedSchema.Column("name", "TEXT", isNotNull: true)])])
        let schema = Schema("sales") { Version(1) { CreateTable("sales") { ColumnDef("id", Int64.self, .primaryKey) } } }
        try verb(#"SELECT … FROM "main".sqlite_master WHERE type IN ('table')…"#) { try connection.tableNames() }
        try verb(#"SELECT … FROM "main".sqlite_master …; PRAGMA "main".table_xinfo("cars"); …"#) { try connection.tableInfo("cars") }
        try verb(#"SELECT … FROM "main".sqlite_master …; PRAGMA "main".table_xinfo("cars"); …"#) { try connection.schemaDefinition() }
        try verb(#"BEGIN DEFERRED TRANSACTION; SELECT … FROM "main".sqlite_master …; PRAGMA "main".table_xinfo("wheels"); …; COMMIT TRANSACTION"#) { try connection.sync([Wheel.table.definition]) }
        try verb(#"BEGIN DEFERRED TRANSACTION; SELECT … FROM "main".sqlite_master …; PRAGMA "main".table_xinfo("wheels"); …; COMMIT TRANSACTION"#) { try connection.plan(toMatch: Wheel.table) }
        let plan = try connection.plan(toMatch: Table("wheels", Wheel.init) { Column("id", \Wheel.id, .primaryKey); Column("owner", \Wheel.owner, .check("owner > 0")) })
        try verb(#"…; BEGIN IMMEDIATE TRANSACTION; …; CREATE TABLE "squall_new_wheels"(…); INSERT …; DROP TABLE main."wheels"; ALTER TABLE main."squall_new_wheels" RENAME TO "wheels"; …; ROLLBACK; PRAGMA foreign_keys = ON"#) { try plan.dryRun() }
        try verb(#"…; BEGIN IMMEDIATE TRANSACTION; …; CREATE TABLE "squall_new_wheels"(…); INSERT …; DROP TABLE main."wheels"; ALTER TABLE main."squall_new_wheels" RENAME TO "wheels"; …; COMMIT TRANSACTION…"#) { try plan.apply() }
        try verb(none: "SQLite names the columns of the tables") { try connection.require(expected) }
        try verb(#"SELECT … FROM "main".sqlite_master …; PRAGMA user_version"#) { try schema.status(of: connection) }
        try verb(#"…; BEGIN IMMEDIATE TRANSACTION; …; CREATE TABLE "sales"("id" INTEGER PRIMARY KEY); …; ROLLBACK…"#) { try schema.dryRun(connection) }
        try verb(#"…; BEGIN IMMEDIATE TRANSACTION; …; CREATE TABLE "sales"("id" INTEGER PRIMARY KEY); …; COMMIT TRANSACTION…"#) { try schema.migrate(connection) }
        try verb(none: "runs the steps on a database in memory") { try schema.verify() }
        try verb(none: "runs the steps on a database in memory") { try schema.drift(from: Car.table) }
        try verb { try connection.setUserVersion(3) }
        try verb.finish("The schema")
    }
}
