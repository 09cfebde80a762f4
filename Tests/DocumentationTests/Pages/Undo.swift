// swift-format-ignore-file
import Foundation
import Squall
import SquallChanges
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Undo and redo".
@Suite(.enabled(if: SQLiteLibrary.has("ENABLE_SESSION")))
struct UndoSnippets {
    private static let script: SQL = """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, car INTEGER);
        INSERT INTO cars VALUES(7, 'Saab', 10)
        """

    private func print(_ name: String, _ count: Int) {
        #expect(name == "Import" && count == 2)
    }

    private func print(_ kind: Changeset.Conflict.Kind, _ table: String) {
        #expect(kind == .data && table == "cars")
    }

    @Test func steps() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute(Self.script) }
        let history = try await UndoHistory(database, tables: ["cars", "orders"], limit: 100)

        try await database.write {
            try $0.run("UPDATE cars SET price = price + 1")
        }
        try await history.undo()          // true: the prices are as before
        try await history.redo()          // true: they are raised again
        try await history.redo()          // false: there is nothing to redo
        let schema = Schema("more") { Version(1) { Execute("ALTER TABLE cars ADD COLUMN colour TEXT") } }
        #expect(try await database.read { try $0.query("SELECT price FROM cars") } == 11)
        try await group(history)
        #expect(history.canUndo)
        if try await database.migrate(schema) { history.removeAll() }
        print(history.canUndo)              // false
    }

    private func group(_ history: UndoHistory) async throws {
        let names = ["Audi", "Fiat"]
        let count = try await history.write("Import") { connection in
            for name in names {
                try connection.run("INSERT INTO cars(name) VALUES(\(name))")
            }
            return names.count
        }
        print(history.undoName ?? "nothing to undo", count)        // Import 2
        #expect(try await history.undo())
    }

    private func print(_ canUndo: Bool) { #expect(!canUndo) }

    @Test func synchronousCode() throws {
        let database = try Database.temporary()
        try database.blocking.write { try $0.execute(Self.script) }
        let history = try UndoHistory(database, tables: ["cars"])

        try history.blocking.write("Sell") {
            try $0.run("DELETE FROM cars WHERE id = 7")
        }
        try history.blocking.undo()
        try history.blocking.redo()
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM cars") } == 0)
    }

    @Test func conflicts() throws {
        let folder = try TemporaryDirectory()
        let database = try Database(folder.file("app.db"))
        try database.blocking.writeWithoutTransaction { try $0.execute(Self.script) }
        let history = try UndoHistory(database, tables: ["cars"])
        try database.blocking.writeWithoutTransaction { try $0.run("UPDATE cars SET price = 20") }
        try Connection(folder.file("app.db")).run("UPDATE cars SET price = 30")
        do {
            try history.blocking.undo()
        } catch let error as UndoConflictError {
            for conflict in error.conflicts {
                // The change that the undo would have made. `row` is the row in the way.
                print(conflict.kind, conflict.change?.table ?? "")
            }
        }
        #expect(try database.blocking.read { try $0.query("SELECT price FROM cars") } == 30)
        try database.blocking.close()
    }
}
