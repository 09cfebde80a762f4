import Squall
import SquallTestSupport
import Testing

/// Errors of a table's code, and code that uses or closes its own connection.
struct VirtualTableFailureTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    enum Place: String, CaseIterable {
        case make, columns, plan, rows, first, third, column
    }

    struct Failure: Error, Equatable, CustomStringConvertible {
        let place: Place
        var description: String { "failed in \(place.rawValue), ünïcode" }
    }

    private struct Failing: TableSource {
        let place: Place

        init(_ place: Place) throws {
            if place == .make { throw Failure(place: place) }
            self.place = place
        }

        var columns: [VirtualColumn<Int>] {
            get throws {
                if place == .columns { throw Failure(place: place) }
                return [
                    VirtualColumn("a") {
                        if place == .column, $0 == 2 { throw Failure(place: place) }
                        return $0
                    }
                ]
            }
        }

        func plan(_ query: PlanQuery) throws -> Plan {
            if place == .plan { throw Failure(place: place) }
            return Plan()
        }

        func rows(_ scan: borrowing Scan) throws -> ThrowingRows<Int> {
            if place == .rows { throw Failure(place: place) }
            var next = 0
            return ThrowingRows {
                next += 1
                if place == .first || place == .third && next == 3 { throw Failure(place: place) }
                return next > 5 ? nil : next
            }
        }
    }

    @Test(arguments: Place.allCases) func anErrorIsThrownWithItsOwnType(_ place: Place) throws {
        try connection.register(named: "t") { _ in try Failing(place) }
        let failure = Failure(place: place)
        #expect(throws: failure) { let _: [Int] = try connection.query("SELECT a FROM t") }
        #expect(throws: failure) { let _: Int? = try connection.query("SELECT sum(a) FROM t") }
        #expect(throws: failure) { try connection.run("SELECT a FROM t") }
        #expect(throws: failure) { try connection.execute("CREATE TABLE copy AS SELECT a FROM t") }
        #expect(throws: failure) {
            let statement = try connection.prepare("SELECT a FROM t")
            while try statement.step() {}
        }
        #expect(throws: failure) {
            try connection.transaction { try connection.run("SELECT a FROM t") }
        }
        // The next statement is not concerned.
        #expect(try connection.query("SELECT 1") == 1)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT missing FROM sqlite_master") }
    }

    @Test func rowsBeforeAnErrorAreRead() throws {
        try connection.register(named: "t") { _ in try Failing(.third) }
        var read: [Int] = []
        #expect(throws: Failure(place: .third)) {
            try connection.forEach("SELECT a FROM t") { (row: Row) in read.append(row[0]) }
        }
        #expect(read == [1, 2])
    }

    @Test func anErrorOfSQLiteKeepsItsCode() throws {
        struct Refusing: TableSource {
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func rows(_ scan: borrowing Scan) throws -> [Int] {
                throw SQLiteError(code: readError, message: "no\0t here")
            }
        }
        try connection.register(named: "t") { _ in Refusing() }
        let error = try sqliteError { try connection.run("SELECT a FROM t") }
        #expect(error.extendedCode == readError)
        #expect(error.message.utf8.elementsEqual("no\0t here".utf8))
    }

    /// SQLite gives these codes a meaning of its own.
    @Test(arguments: [0, 17, 100, 101, 262, -5] as [Int32]) func codesThatAreOrdersAreErrors(code: Int32) throws {
        struct Ordering: TableSource {
            let code: Int32
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func rows(_ scan: borrowing Scan) throws -> [Int] { throw SQLiteError(code: code, message: "odd") }
        }
        try connection.register(named: "t") { _ in Ordering(code: code) }
        #expect(throws: (any Error).self) { try connection.run("SELECT a FROM t") }
        #expect(try connection.query("SELECT 1") == 1)
    }

    // MARK: - The own connection

    private struct Nested: TableSource {
        unowned let connection: Connection
        let sql: String
        let columns = [VirtualColumn<Int>("a") { $0 }]
        func rows(_ scan: borrowing Scan) throws -> [Int] { try connection.query("\(raw: sql)") }
    }

    @Test func theCodeMayQueryItsConnection() throws {
        try connection.execute("CREATE TABLE stored(a INTEGER); INSERT INTO stored VALUES(4), (5)")
        try connection.register(named: "t") { [unowned connection] _ in
            Nested(connection: connection, sql: "SELECT a FROM stored")
        }
        #expect(try connection.query("SELECT group_concat(a) FROM t") == "4,5")
        #expect(try connection.query("SELECT count(*) FROM t JOIN t AS u") == 4)
    }

    @Test func aTableThatReadsItselfForEverIsAnError() throws {
        try connection.register(named: "t") { [unowned connection] _ in
            Nested(connection: connection, sql: "SELECT a FROM t")
        }
        let error = try sqliteError { try connection.run("SELECT a FROM t") }
        #expect(error.message == "t is read from within itself too often")
    }

    /// SQLite uses memory of the plan and of the transaction while these run.
    @Test(arguments: ["plan", "drop", "begin", "sync", "savepoint"])
    func plansAndTransactionsCannotUseTheConnection(place: String) throws {
        final class Using: WritableTableSource {
            unowned let connection: Connection
            var place = ""
            init(_ connection: Connection) { self.connection = connection }
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func use(_ here: String) throws {
                if here == place { try connection.execute("DROP TABLE v; VACUUM; ROLLBACK") }
            }
            func plan(_ query: PlanQuery) throws -> Plan {
                try use("plan")
                return Plan()
            }
            func rows(_ scan: borrowing Scan) -> [Int] { [1] }
            func rowID(of row: Int) -> Int64? { 1 }
            func insert(_ row: borrowing WrittenRow) -> Int64 { 1 }
            func update(_ rowID: Int64, _ row: borrowing WrittenRow) {}
            func delete(_ rowID: Int64) {}
            func begin() throws { try use("begin") }
            func sync() throws { try use("sync") }
            func savepoint(_ level: Int) throws { try use("savepoint") }
            func drop() throws { try use("drop") }
        }
        let using = Using(connection)
        try connection.register(named: "user_of", use: .created) { _ in using }
        try connection.execute("CREATE VIRTUAL TABLE v USING user_of")
        using.place = place
        let error = try sqliteError {
            if place == "drop" { try connection.execute("DROP TABLE v") }
            if place == "plan" { try connection.run("SELECT a FROM v") }
            try connection.transaction {
                try connection.run("INSERT INTO v VALUES(1)")
                try connection.savepoint { try connection.run("INSERT INTO v VALUES(2)") }
            }
        }
        #expect(error.kind == .hookReentrancy(hook: "virtual table"))
        #expect(!connection.isInTransaction)
        #expect(try connection.query("SELECT 1") == 1)
    }

    /// SQLite tries another plan after the first code, and replaces the message of the second.
    @Test(arguments: [19, 7] as [Int32]) func everyCodeOfAPlanIsThrown(code: Int32) throws {
        struct Planning: TableSource {
            let code: Int32
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func plan(_ query: PlanQuery) throws -> Plan { throw SQLiteError(code: code, message: "mine") }
            func rows(_ scan: borrowing Scan) throws -> [Int] { [] }
        }
        try connection.register(named: "t") { _ in Planning(code: code) }
        let error = try sqliteError { try connection.run("SELECT a FROM t") }
        #expect((error.code, error.message) == (code, "mine"))
    }

    @Test func theCodeCannotChangeModules() throws {
        struct Changing: TableSource {
            unowned let connection: Connection
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func rows(_ scan: borrowing Scan) throws -> [Int] {
                try connection.removeModule(named: "t")
                return [1]
            }
        }
        try connection.register(named: "t") { [unowned connection] _ in Changing(connection: connection) }
        #expect(try sqliteError { try connection.run("SELECT a FROM t") }.resultCode == .busy)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT a FROM t") }
    }

    @Test(arguments: Place.allCases) func aConnectionThatIsClosedInTheCodeEndsTheStatement(_ place: Place) throws {
        final class Closing: TableSource {
            weak var connection: Connection?
            let place: Place

            init(_ connection: Connection, _ place: Place) {
                (self.connection, self.place) = (connection, place)
                if place == .make { connection.close() }
            }

            var columns: [VirtualColumn<Int>] {
                if place == .columns { connection?.close() }
                return [
                    VirtualColumn("a") { [weak connection, place] in
                        if place == .column { connection?.close() }
                        return $0
                    }
                ]
            }

            func plan(_ query: PlanQuery) -> Plan {
                if place == .plan { connection?.close() }
                return Plan()
            }

            func rows(_ scan: borrowing Scan) -> ThrowingRows<Int> {
                if place == .rows { connection?.close() }
                var next = 0
                return ThrowingRows { [weak connection, place] in
                    next += 1
                    if place == .first || place == .third && next == 3 { connection?.close() }
                    return next > 5 ? nil : next
                }
            }
        }
        try connection.register(named: "t") { [unowned connection] _ in Closing(connection, place) }
        #expect(throws: SQLiteError.self) { let _: [Int] = try connection.query("SELECT a FROM t") }
        #expect(connection.isClosed)
    }

    @Test func aCursorMayBeAliveWhenTheConnectionCloses() throws {
        final class Owner {}
        weak var owner: Owner?
        do {
            let made = Owner()
            owner = made
            try connection.register(named: "t") { [made] _ in withExtendedLifetime(made) { Squares(9) } }
        }
        do {
            let statement = try connection.prepare("SELECT n FROM t")
            #expect(try statement.step())
            connection.close()
            #expect(throws: SQLiteError.self) { try statement.step() }
        }
        #expect(owner == nil)
    }

    @Test func objectsOfATableThatCloseTheConnectionDoSoInTheirTime() throws {
        final class Closer {
            weak var connection: Connection?
            init(_ connection: Connection) { self.connection = connection }
            deinit { connection?.close() }
        }
        struct Holding: TableSource {
            let closer: Closer
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func rows(_ scan: borrowing Scan) -> [Int] { [1, 2] }
        }
        let register = { (closer: Closer) in
            try connection.register(named: "t") { _ in Holding(closer: closer) }
        }
        try register(Closer(connection))
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
        try connection.removeModule(named: "t")
        // SQLite releases the tables of a module that has gone with the next statement.
        #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
        #expect(connection.isClosed)
    }

    @Test func rowsThatCloseTheConnectionWhenTheyGoDoSoAfterTheScan() throws {
        final class Rows: Sequence, IteratorProtocol {
            weak var connection: Connection?
            var count = 0
            init(_ connection: Connection?) { self.connection = connection }
            deinit { connection?.close() }
            func next() -> Int? {
                count += 1
                return count > 3 ? nil : count
            }
        }
        struct Holding: TableSource {
            weak var connection: Connection?
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func rows(_ scan: borrowing Scan) -> Rows { Rows(connection) }
        }
        try connection.register(named: "t") { [weak connection] _ in Holding(connection: connection) }
        #expect(throws: SQLiteError.self) {
            let _: [Int] = try connection.query("SELECT a FROM t")
            let _: Int = try connection.query("SELECT 1")
        }
        #expect(connection.isClosed)
    }

    @Test func anInterruptEndsAScan() throws {
        struct Interrupting: TableSource {
            weak var connection: Connection?
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func rows(_ scan: borrowing Scan) -> some Sequence<Int> {
                sequence(first: 1) { [weak connection] in
                    if $0 == 1000 { connection?.interrupt() }
                    return $0 + 1
                }
            }
        }
        try connection.register(named: "t") { [weak connection] _ in Interrupting(connection: connection) }
        #expect(try sqliteError { try connection.run("SELECT count(*) FROM t") }.resultCode == .interrupt)
    }
}

/// `SQLITE_IOERR_READ`.
private let readError: Int32 = 266
