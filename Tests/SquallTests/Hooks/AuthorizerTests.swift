import Squall
import SquallTestSupport
import Testing

struct AuthorizerTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, price INTEGER); INSERT INTO cars VALUES(1, 100);
            CREATE VIEW dear AS SELECT id FROM cars WHERE price > 10
            """
        )
    }

    @Test func anActionThatIsDeniedIsNamed() throws {
        let token = connection.addAuthorizer { action, _, _, _, _ in action == .delete ? .deny : .ok }
        let error = try sqliteError { try connection.run("DELETE FROM cars") }
        #expect(error.code == 23)
        #expect(error.message == "not authorized: DELETE cars in main")
        #expect(error.sql == "DELETE FROM cars")
        token.cancel()
        connection.addAuthorizer { action, _, _, _, _ in action == .dropTable ? .deny : .ok }
        let drop = try sqliteError { try connection.run("DROP TABLE cars") }
        #expect(drop.message == "not authorized: DROP TABLE cars in main")
        #expect(try connection.query("SELECT count(*) FROM cars") == 1)
    }

    @Test func aColumnThatIsDeniedIsNamedWithTheViewThatReadsIt() throws {
        connection.addAuthorizer { action, _, column, _, _ in action == .read && column == "price" ? .deny : .ok }
        let error = try sqliteError { let _: [Int] = try connection.query("SELECT id FROM dear") }
        #expect(error.code == 23)
        #expect(error.message == "access to cars.price is prohibited: READ cars.price in main, by dear")
    }

    @Test func ignoringAColumnReadsNull() throws {
        let token = connection.addAuthorizer { action, _, column, _, _ in
            action == .read && column == "price" ? .ignore : .ok
        }
        #expect(try connection.query("SELECT price FROM cars") as Int? == nil)
        token.cancel()
        #expect(try connection.query("SELECT price FROM cars") == 100)
    }

    @Test func anyOtherAnswerIsAMalfunction() throws {
        connection.addAuthorizer { action, _, _, _, _ in action == .pragma ? .custom(42) : .ok }
        let error = try sqliteError { try connection.run("PRAGMA user_version = 3") }
        #expect(error.code == 1)
        #expect(error.message == "authorizer malfunction: PRAGMA user_version 3")
    }

    @Test func everyActionHasSQLitesNumber() {
        #expect(Connection.AuthorizerAction.allCases.map(\.rawValue) == Array(0...33))
        #expect(Connection.AuthorizerAction.recursive.rawValue == 33)
        #expect(Connection.AuthorizerAction.select.rawValue == 21)
        #expect(Connection.AuthorizerAction.dropVTable.rawValue == 30)
    }

    @Test func theArgumentsAreSQLites() throws {
        let log = Log()
        connection.addAuthorizer { action, first, second, database, cause in
            log.add(
                [String(describing: action), first, second, database, cause].map { $0 ?? "-" }.joined(separator: " "))
            return .ok
        }
        try connection.run("UPDATE cars SET price = abs(-1) WHERE id = 1")
        #expect(
            log.take() == [
                "function - abs - -", "update cars price main -", "read cars id main -",
            ]
        )
        try connection.savepoint(named: "s") {}
        #expect(log.take() == ["savepoint BEGIN s - -", "savepoint RELEASE s - -"])
    }

    /// A statement that was prepared before must not slip through.
    @Test func statementsThatWerePreparedBeforeAreCheckedToo() throws {
        let count: Int = try connection.query("SELECT count(*) FROM cars")
        #expect(count == 1)
        let own = try connection.prepare("SELECT price FROM cars")
        let denial = connection.addAuthorizer { action, _, _, _, _ in action == .select ? .deny : .ok }
        #expect(try sqliteError { let _: Int = try connection.query("SELECT count(*) FROM cars") }.code == 23)
        #expect(try sqliteError { let _: Int = try own.query() }.code == 23)
        denial.cancel()
        let omission = connection.addAuthorizer { action, _, column, _, _ in
            action == .read && column == "price" ? .ignore : .ok
        }
        #expect(try own.query() as [Int?] == [nil])
        omission.cancel()
        #expect(try own.query() as [Int?] == [100])
    }

    @Test func anAuthorizerCanCancelItselfAndAddAnother() throws {
        var itself: ObserverToken?
        itself = connection.addAuthorizer { action, _, _, _, _ in
            guard action == .select else { return .ok }
            itself?.cancel()
            return .deny
        }
        #expect(try sqliteError { let _: Int = try connection.query("SELECT count(*) FROM cars") }.code == 23)
        #expect(try connection.query("SELECT count(*) FROM cars") == 1)
        let token = connection.addAuthorizer { [unowned connection] _, _, _, _, _ in
            connection.addAuthorizer { action, _, _, _, _ in action == .delete ? .deny : .ok }
            return .ok
        }
        try connection.run("SELECT 1")
        token.cancel()
        #expect(try sqliteError { try connection.run("DELETE FROM cars") }.code == 23)
    }

    @Test func theStrictestAnswerCounts() throws {
        let permissive = connection.addAuthorizer { _, _, _, _, _ in .ok }
        let strict = connection.addAuthorizer { action, _, _, _, _ in action == .delete ? .deny : .ok }
        connection.addAuthorizer { action, _, _, _, _ in action == .delete ? .ignore : .ok }
        #expect(throws: SQLiteError.self) { try connection.run("DELETE FROM cars WHERE id = 5") }
        strict.cancel()
        permissive.cancel()
        try connection.run("DELETE FROM cars WHERE id = 5")
    }

    @Test func addingOneToAClosedConnectionDoesNotThrow() {
        connection.close()
        connection.addAuthorizer { _, _, _, _, _ in
            Issue.record("called")
            return .ok
        }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
    }
}
