// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Problems of connections and databases".
struct ConnectionProblemSnippets {
    private let directory: TemporaryDirectory
    private let path: String
    private let database: Database
    private let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("cars.db")
        database = try Database(path)
        connection = try Connection(path)
        try connection.execute("""
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO cars VALUES(1, 'Audi'), (2, 'Saab');
            """)
    }

    @Test func closed() throws {
        connection.close()
        expect(kind: .closed(.connection), "the connection is closed") {
            try connection.run("SELECT 1")
        }
        let snapshot = try database.blocking.snapshot()
        try snapshot.close()
        expect(kind: .closed(.snapshot), "the snapshot is closed") {
            try snapshot.blocking.read { try $0.run("SELECT 1") }
        }
        // Use the connection inside the closure alone.
        let kept = try database.blocking.read { $0 }
        expect(kind: .connectionReturned, """
            the connection was lent to a closure that has returned
            """) {
            try kept.run("SELECT 1")
        }
        // Close it after its closures have returned.
        expect(DatabaseProblem.closedInsideClosure(.database), """
            a database cannot be closed inside one of its closures
            """) {
            try database.blocking.read { _ in try database.blocking.close() }
        }
        try database.blocking.close()
        expect(kind: .closed(.database), "the database is closed") {
            try database.blocking.read { try $0.run("SELECT 1") }
        }
    }

    @Test func reads() throws {
        try database.blocking.read { connection in
            // Use `write`.
            expect(kind: .insideRead(.statement), "attempt to write a readonly database") {
                try connection.run("DELETE FROM cars")
            }
            expect(kind: .insideRead(.pragma), """
                this statement is not allowed inside a read
                """) {
                try connection.run("PRAGMA journal_mode = OFF")
            }
            expect(kind: .insideRead(.checkpoint), """
                a checkpoint is not allowed inside a read
                """) {
                try connection.checkpoint()
            }
            // Read inside the closure of the write.
            expect(kind: .insideRead(.write), """
                a write cannot begin inside a read of the same database
                """) {
                try database.blocking.write { try $0.run("DELETE FROM cars") }
            }
        }
    }

    @Test func transactions() throws {
        try connection.run("CREATE TABLE keys(id INTEGER PRIMARY KEY ON CONFLICT ROLLBACK)")
        // Let the error of the first statement end the transaction.
        expect(kind: .transactionLost, """
            the transaction is lost: SQLite has rolled it back, or it was ended by \
            hand; nothing was run
            """) {
            try connection.transaction {
                for id in [1, 1, 2] { try? connection.run("INSERT INTO keys VALUES(\(id))") }
                try connection.run("INSERT INTO keys VALUES(3)")
            }
        }
        // Run the statement again: it was on a row when the transaction was rolled back.
        let cars = try connection.prepare("SELECT name FROM cars")
        try? connection.transaction {
            try connection.run("CREATE TABLE boats(id INTEGER PRIMARY KEY)")
            try cars.step()
            throw CancellationError()
        }
        expect(code: .transactionLost, "abort due to ROLLBACK") {
            try cars.step()
        }
        try? connection.transaction {
            try connection.run("INSERT INTO keys VALUES(3)")
            try cars.step()
            connection.interrupt()
            throw CancellationError()
        }
        expect(kind: .endedByRollback, "the statement was ended by a rollback") {
            try cars.step()
        }
        // Call `transaction`, which commits or rolls back.
        expect(DatabaseProblem.transactionLeftOpen, """
            the closure has left a transaction open; it was rolled back
            """) {
            try database.blocking.writeWithoutTransaction { try $0.run("BEGIN") }
        }
    }

    @Test func lostTransactionsAreAborted() throws {
        let error = try sqliteError {
            try connection.transaction {
                try connection.run("ROLLBACK")
                try connection.run("DELETE FROM cars")
            }
        }
        var counts: [ResultCode: Int] = [:]
        for code in [error.extendedResultCode, .constraintUnique, .constraintCheck] {
            counts[code.primary, default: 0] += 1
        }
        #expect(counts == [.abort: 1, .constraint: 2])
    }

    @Test func locks() throws {
        try connection.transaction {
            // Set a timeout: `busyHandler(.timeout(5))`, which `.recommended` does.
            let other = try Connection(storageLocation: .onDisk(path))
            expect(code: .busy, "database is locked") {
                try other.run("DELETE FROM cars")
            }
        }
        // A transaction that will write begins IMMEDIATE.
        expect(code: .busySnapshot, "database is locked") {
            try connection.transaction(transactionType: .deferred) {
                let count: Int = try connection.query("SELECT count(*) FROM cars")
                try database.blocking.write { try $0.run("DELETE FROM cars WHERE id = 2") }
                try connection.run("UPDATE cars SET name = \("\(count)")")
            }
        }
    }

    @Test(.enabled(if: !SQLiteLibrary.has("OMIT_SHARED_CACHE"))) func sharedCaches() throws {
        let location = StorageLocation.onDisk(directory.file("shared.db"))
        let writer = try Connection(storageLocation: location, sharedCache: true)
        let reader = try Connection(storageLocation: location, sharedCache: true)
        try writer.execute("CREATE TABLE cars(id)")
        try writer.transaction {
            try writer.run("INSERT INTO cars VALUES(1)")
            // Leave shared caches out: a Database reads while it writes.
            expect(code: .lockedSharedCache, "database table is locked: cars") {
                let _: Int = try reader.query("SELECT count(*) FROM cars")
            }
        }
    }

    @Test func interruptions() throws {
        expect(kind: .interrupted(.deadline), "interrupted: the deadline has passed") {
            try connection.withDeadline(.zero) { try connection.run("SELECT 1") }
        }
        expect(kind: .interrupted(.request), "interrupted") {
            try connection.forEach("SELECT * FROM cars") { (_) throws in
                connection.interrupt()      // by another thread, most often
            }
        }
        var configuration = Configuration.recommended
        configuration.timeLimit = .milliseconds(5)
        let limited = try Connection(path, configuration: configuration)
        expect(kind: .interrupted(.timeLimit(.milliseconds(5))), """
            interrupted: the time limit is 0.005 seconds
            """) {
            try limited.run("""
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n FROM numbers)
                SELECT max(n) FROM numbers
                """)
        }
    }

    @Test func reasonsOfInterruptions() {
        /// Returns whether a request can be sent again after work that was ended.
        func canBeRepeated(after reason: SQLiteError.InterruptionReason) -> Bool {
            switch reason {
            case .deadline, .suspension: true       // it was busy, or in the background
            case .cancellation, .request: false     // the caller does not wait any more
            case .timeLimit(let limit): limit < .seconds(1)
            }
        }
        #expect(canBeRepeated(after: .deadline) && canBeRepeated(after: .suspension))
        #expect(!canBeRepeated(after: .cancellation) && !canBeRepeated(after: .request))
        #expect(!canBeRepeated(after: .timeLimit(.seconds(60))))
    }

    @Test func suspension() throws {
        // Suspend it from outside, when the app has been told.
        expect(DatabaseProblem.suspendedInsideClosure, """
            a database cannot be suspended inside one of its closures
            """) {
            try database.blocking.read { _ in try database.blocking.suspend() }
        }
        try database.blocking.suspend()
        // Call `resume()` first.
        expect(DatabaseProblem.suspended, "the database is suspended") {
            try database.blocking.read { try $0.run("SELECT 1") }
        }
        try database.blocking.resume()
    }

    @Test func preparations() throws {
        expect(DatabaseProblem.preparationClosedConnection, """
            the preparation has closed the connection
            """) {
            try Database(path, preparation: { $0.close() })
        }
        expect(DatabaseProblem.preparationLeftTransactionOpen, """
            the preparation has left a transaction open; it was rolled back
            """) {
            try Database(path, preparation: { try $0.run("BEGIN") })
        }
        // Use the connection that the preparation gets.
        let pools = Shared<ConnectionPool?>(nil)
        let location = StorageLocation.onDisk(path)
        let pool = ConnectionPool(
            storageLocation: location,
            connectionPreparation: { _ in
                try pools.value?.execute { try $0.run("SELECT 1") }
            })
        pools.update { $0 = pool }
        expect(DatabaseProblem.usedInPreparation, """
            the preparation of a connection cannot use its own database or pool
            """) {
            try pool.execute { try $0.run("SELECT 1") }
        }
        pools.update { $0 = nil }
    }

    @Test func snapshotsAndCheckpoints() throws {
        let memory = try Database()
        expect(DatabaseProblem.snapshotInsideTransaction, """
            a snapshot of a database in memory, which copies it, cannot be made \
            inside a read or a transaction
            """) {
            try memory.blocking.read { _ in try memory.blocking.snapshot() }
        }
        // Close the snapshot, or end the long read; the next checkpoint does the work.
        let snapshot = try database.blocking.snapshot()
        try database.blocking.write { try $0.run("DELETE FROM cars") }
        expect(DatabaseProblem.checkpointBlocked, """
            a read blocked the checkpoint for too long
            """) {
            try database.blocking.checkpoint(.truncate, holdingReaders: .zero)
        }
        try snapshot.close()
    }

    @Test func features() {
        /// Returns whether an app works on, with less, where SQLite lacks a feature.
        func isOptional(_ feature: SQLiteError.LibraryFeature) -> Bool {
            switch feature {
            case .threads, .serialization: false
            case .extensionLoading, .spatialTables, .fullTextSearch: true
            case .preUpdateHook, .sessions: true        // without undo
            }
        }
        func isFatal(_ error: SQLiteError) -> Bool {
            switch error.kind {
            case .libraryLacks(let feature): !isOptional(feature)
            case .forkedProcess: true       // open the database in the child
            default: false
            }
        }
        #expect(!isOptional(.threads) && isOptional(.sessions) && isOptional(.fullTextSearch))
        #expect(!isFatal(SQLiteError(code: 1, message: "")))
    }

    @Test func hooks() throws {
        // Run it after the commit: `observe`, or `addCommitObserver`.
        let token = connection.addUpdateObserver { [unowned connection] _, _, _, _ in
            expect(kind: .hookReentrancy(hook: "update hook"), """
                an update hook cannot use its own connection
                """) {
                try connection.run("DELETE FROM cars")
            }
        }
        try connection.run("UPDATE cars SET name = 'Fiat' WHERE id = 1")
        token.cancel()
    }

    @Test func functions() throws {
        expect(FunctionProblem.nameTooLong(byteCount: 300), """
            the name of a function has at most 255 bytes, not 300
            """) {
            try connection.addFunction(String(repeating: "f", count: 300)) { 1 }
        }
        // Add it before the statement runs.
        try connection.addFunction("twice") { [unowned connection] (number: Int) in
            expect(FunctionProblem.changedDuringCall(name: "thrice"), """
                functions, collations and modules cannot be changed while one is \
                running: thrice
                """) {
                try connection.addFunction("thrice") { (number: Int) in number * 3 }
            }
            return number * 2
        }
        let eight: Int = try connection.query("SELECT twice(4)")
        expect(code: .mismatch, "twice(), argument 1: expected Int, found TEXT") {
            try connection.run("SELECT twice('four')")
        }
        #expect(eight == 8)
    }
}
