import Foundation
import Squall
import Testing

/// Ordinary code whose last use of a connection, statement, row or database is inside a closure or a loop of its own.
///
/// Only an optimised build releases objects directly after their last use, so these tests prove something when they are
/// built for release under the address sanitizer: `make sanitize` does that. They are a target of their own, because Swift
/// 6.3.1 crashes when it optimises the whole of SquallTests. Each function is called several times, and
/// each does what a program would do, with no reference kept for the sake of the test.
struct LifetimeTests {
    private static let rounds = 50

    @inline(never)
    private static func users() throws -> Connection {
        let connection = try Connection()
        try connection.create(User.table)
        try connection.insert(contentsOf: (1...20).map { User(id: nil, name: "name \($0)", email: nil, age: $0) })
        return connection
    }

    // MARK: The last use of a connection

    @Test func inForEach() throws {
        for _ in 0..<Self.rounds {
            var changes = 0
            do {
                let connection = try numbers()
                try connection.forEach("SELECT x FROM t") { _ in changes += connection.changes }
            } catch {}
            #expect(changes == 20)
        }
    }

    @Test func inForEachThatCloses() throws {
        for _ in 0..<Self.rounds {
            var count = 0
            do {
                let connection = try numbers()
                try connection.forEach("SELECT x FROM t") { _ in
                    count += 1
                    if count > 5 { connection.close() }
                }
            } catch {}
            #expect(count == 6)
        }
    }

    @Test func inForEachThatThrows() throws {
        for _ in 0..<Self.rounds {
            var rows: [Row] = []
            do {
                let connection = try numbers()
                try connection.forEach("SELECT x, name FROM t WHERE x > ?", 3) { row in
                    rows.append(row)
                    if connection.isInTransaction || rows.count == 4 { throw CancellationError() }
                }
            } catch {}
            #expect(try rows.map { try $0.get("name") as String } == ["name 4", "name 5", "name 6", "name 7"])
        }
    }

    @Test func inAQueryThatMapsItsRows() throws {
        for _ in 0..<Self.rounds {
            var names: [String] = []
            do {
                let connection = try numbers()
                names = try connection.query("SELECT name FROM t ORDER BY x LIMIT 3") { row in
                    "\(connection.isClosed) \(try row.get(0) as String)"
                }
            } catch {}
            #expect(names == ["false name 1", "false name 2", "false name 3"])
        }
    }

    @Test func inAQueryForOneValue() throws {
        for _ in 0..<Self.rounds {
            let value: Int = try numbers().query("SELECT sum(x) FROM t")
            let row = try numbers().query("SELECT x, name, body FROM t WHERE name = \("name 7")")
            #expect(value == 210)
            #expect(try row?.get("body") as Data? == Data(repeating: 7, count: 40))
        }
    }

    @Test func inNestedQueries() throws {
        for _ in 0..<Self.rounds {
            var sum = 0
            do {
                let connection = try numbers()
                try connection.forEach("SELECT x FROM t WHERE x < 4") { row in
                    let x: Int = try row.get(0)
                    try connection.forEach("SELECT x FROM t WHERE x <= ?", x) { sum += try $0.get(0) as Int }
                }
            } catch {}
            #expect(sum == 10)
        }
    }

    @Test func inTheSameQueryInsideItself() throws {
        for _ in 0..<Self.rounds {
            var count = 0
            do {
                let connection = try numbers()
                try connection.forEach("SELECT x FROM t") { _ in
                    try connection.forEach("SELECT x FROM t") { _ in count += 1 }
                }
            } catch {}
            #expect(count == 400)
        }
    }

    @Test func inATransaction() throws {
        for _ in 0..<Self.rounds {
            var changes = 0
            do {
                let connection = try numbers()
                try connection.transaction {
                    try connection.run("UPDATE t SET x = x + 1 WHERE x > \(10)")
                    changes = connection.changes
                }
            } catch {}
            #expect(changes == 10)
        }
    }

    @Test func inAFunctionOfItsOwnStatement() throws {
        for _ in 0..<Self.rounds {
            var sum = 0
            do {
                let connection = try numbers()
                try connection.addFunction("twice") { [unowned connection] (x: Int) in connection.isClosed ? 0 : 2 * x }
                try connection.forEach("SELECT twice(x) FROM t") { sum += try $0.get(0) as Int }
            } catch {}
            #expect(sum == 420)
        }
    }

    @Test func inAnUpdateObserver() throws {
        for _ in 0..<Self.rounds {
            var rowIDs: [Int64] = []
            do {
                let connection = try numbers()
                connection.addUpdateObserver { _, _, _, rowID in rowIDs.append(rowID) }
                try connection.run("DELETE FROM t WHERE x < 3")
            } catch {}
            #expect(rowIDs == [1, 2])
        }
    }

    // MARK: The last use of a statement

    @Test func aStatementInItsLoop() throws {
        for _ in 0..<Self.rounds {
            var count = 0
            do {
                let statement = try numbers().prepare("SELECT x FROM t WHERE x > ?")
                try statement.bind(10).forEach { row in count += statement.columnCount * (try row.get(0) as Int) }
            } catch {}
            #expect(count == 155)
        }
    }

    @Test func aStatementThatIsStepped() throws {
        for _ in 0..<Self.rounds {
            var names: [String] = []
            do {
                let statement = try numbers().prepare("SELECT name FROM t WHERE x < 4")
                while try statement.step() { names.append(try statement.row?.get(0) ?? "") }
            } catch {}
            #expect(names == ["name 1", "name 2", "name 3"])
        }
    }

    @Test func aStatementThatOutlivesItsConnectionAndIsRun() throws {
        for _ in 0..<Self.rounds {
            var insert: Statement? = try numbers().prepare("INSERT INTO t(x) VALUES(?) RETURNING x")
            for number in 1...3 { #expect(try insert?.bind(number).query() as Int? == number) }
            insert = nil
        }
    }

    // MARK: Rows

    @Test func aRowOutlivesItsStatement() throws {
        for _ in 0..<Self.rounds {
            var row: Row?
            do {
                let statement = try numbers().prepare("SELECT x, name, body FROM t WHERE x = 9")
                if try statement.step() { row = statement.row }
            }
            #expect(try row?.get("name") as String? == "name 9")
            #expect(try row?.get("body") as Data? == Data(repeating: 7, count: 40))
        }
    }

    @Test func rowsThatAreKeptInALoop() throws {
        for _ in 0..<Self.rounds {
            var rows: [Row] = []
            try numbers().forEach("SELECT x, name FROM t WHERE x < 5") { rows.append($0) }
            #expect(try rows.map { try $0.get(0) as Int } == [1, 2, 3, 4])
        }
    }

    // MARK: Tables

    @Test func inTheVerbsOfTables() throws {
        for _ in 0..<Self.rounds {
            var ages = 0
            do {
                let connection = try Self.users()
                try connection.forEach(User.self) { user in ages += user.age + connection.changes * 0 }
            } catch {}
            #expect(ages == 210)
            #expect(try Self.users().find(User.self, 3)?.name == "name 3")
            #expect(try Self.users().all(User.self) { $0.age > 18 }.map(\.age) == [19, 20])
            #expect(try Self.users().insert(User(id: nil, name: "last", email: nil, age: 1)) == 21)
            let insert = try Self.users().prepareInsert(into: User.table)
            #expect(try insert.run(nil, "last", nil, 1) == 21)
        }
    }

    @Test func inRowsThatAnInsertMakes() throws {
        for _ in 0..<Self.rounds {
            var count = 0
            do {
                let connection = try Self.users()
                let made = (1...120).lazy.map { User(id: nil, name: "\(connection.isClosed)", email: nil, age: $0) }
                try connection.insert(contentsOf: made)
                count = try connection.count(User.self) { $0.name == "false" }
            } catch {}
            #expect(count == 120)
        }
    }

    // MARK: Queues, pools, databases

    @Test func inTheClosuresOfADatabase() throws {
        for _ in 0..<10 {
            let directory = try TemporaryDirectory()
            var sum = 0
            do {
                let database = try Database(directory.file("a.db"))
                try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(x); INSERT INTO t VALUES(1), (2), (3)") }
                try database.blocking.read { connection in
                    try connection.forEach("SELECT x FROM t") { row in
                        sum += try row.get(0) as Int
                        sum += try database.blocking.read { try $0.query("SELECT count(*) FROM t") }
                    }
                }
            }
            #expect(sum == 15)
        }
    }

    @Test func inTheClosuresOfAsynchronousCalls() async throws {
        for _ in 0..<10 {
            let directory = try TemporaryDirectory()
            let counts: [Int] = try await {
                let database = try Database(directory.file("a.db"))
                try await database.write { try $0.execute("CREATE TABLE t(x); INSERT INTO t VALUES(1), (2), (3)") }
                return try await database.read { connection in
                    try connection.query("SELECT x FROM t") {
                        try $0.get(0) as Int + database.statistics.waitingWrites * 0
                    }
                }
            }()
            #expect(counts == [1, 2, 3])
        }
    }

    @Test func inTheClosureOfAQueueAndOfAPool() throws {
        for _ in 0..<10 {
            let directory = try TemporaryDirectory()
            var sum = 0
            do {
                let queue = ConnectionQueue(connection: try Connection(directory.file("a.db")))
                try queue.execute { connection in
                    try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES(1), (2), (3)")
                    try connection.forEach("SELECT x FROM t") { sum += try $0.get(0) as Int + connection.changes * 0 }
                }
                let pool = ConnectionPool(storageLocation: .onDisk(directory.file("a.db")))
                try pool.execute { connection in
                    try connection.forEach("SELECT x FROM t") { sum += try $0.get(0) as Int + connection.changes * 0 }
                }
            }
            #expect(sum == 12)
        }
    }
}

private struct User: TableRecord {
    let id: Int64?
    let name: String
    let email: String?
    let age: Int

    static let table = Table("users", User.init) {
        Column("id", \User.id, .primaryKey)
        Column("name", \User.name)
        Column("email", \User.email, .unique)
        Column("age", \User.age, .default(0))
    }
}

/// A directory of its own for a test, removed with the value.
private final class TemporaryDirectory {
    private let url = FileManager.default.temporaryDirectory.appending(path: "squall-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> String { url.appending(path: name).path }
}
