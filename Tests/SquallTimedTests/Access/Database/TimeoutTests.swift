import Squall
import SquallTestSupport
import Testing

/// `executeRead`, `executeWrite` and `transaction` with a timeout.
@Suite(.timeLimit(.minutes(10)))
struct TimeoutTests {
    private let directory: TemporaryDirectory
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("app.db"), maximumReaders: 1)
        try database.executeWrite { try $0.execute("CREATE TABLE t(a)") }
    }

    @Test func endTheWaitForAConnection() throws {
        let (isReading, isWriting, gate) = (Gate(), Gate(), Gate())
        let reader = ThreadResult { [database] in
            try database.executeRead { _ in
                isReading.open()
                gate.wait()
            }
        }
        let writer = ThreadResult { [database] in
            try database.executeWrite { _ in
                isWriting.open()
                gate.wait()
            }
        }
        isReading.wait()
        isWriting.wait()
        for timeout in [Duration.zero, .milliseconds(20)] {
            let calls: [() throws -> Void] = [
                { try database.executeRead(timeout: timeout) { _ in } },
                { try database.executeWrite(timeout: timeout) { _ in } },
                { try database.transaction(timeout: timeout) { _ in } },
            ]
            for call in calls {
                let error = try sqliteError(call)
                #expect(error.kind == .problem(DatabaseProblem.connectionTimeout(timeout)))
                #expect(error.resultCode == .busy)
                #expect(error.message == "no connection was free within \(timeout)")
                #expect(error.hint?.contains("keep closures short") == true)
            }
        }
        // The earlier of the two ends the wait.
        let late = try sqliteError {
            try database.executeRead(timeout: .seconds(3600), deadline: .milliseconds(20)) { _ in }
        }
        #expect(late.kind == .interrupted(.deadline))
        #expect(database.statistics.waitingReads == 0)
        #expect(database.statistics.waitingWrites == 0)
        gate.open()
        try reader.get()
        try writer.get()
    }

    @Test func aFreeConnectionIsUsedAtOnce() throws {
        #expect(try database.executeRead(timeout: .zero) { try $0.query("SELECT 1") } == 1)
        try database.executeWrite(timeout: .zero) { try $0.run("INSERT INTO t VALUES(1)") }
        try database.transaction(timeout: .zero) { connection in
            #expect(connection.isInTransaction)
            try connection.run("INSERT INTO t VALUES(2)")
        }
        #expect(try database.executeRead(timeout: .seconds(1)) { try $0.query("SELECT count(*) FROM t") } == 2)
        #expect(throws: ValueError.self) {
            try database.transaction(timeout: .zero) { connection in
                try connection.run("DELETE FROM t")
                throw ValueError()
            }
        }
        #expect(try database.executeRead(timeout: .zero) { try $0.query("SELECT count(*) FROM t") } == 2)
    }

    private struct ValueError: Error {}

    @Test func insideOtherClosuresNothingIsWaitedFor() throws {
        try database.executeRead { outer in
            try database.executeRead(timeout: .zero) { #expect($0 === outer) }
            #expect(try errorKind { try database.executeWrite(timeout: .zero) { _ in } } == .insideRead(.write))
            #expect(try errorKind { try database.transaction(timeout: .zero) { _ in } } == .insideRead(.write))
        }
        try database.transaction { outer in
            try outer.run("INSERT INTO t VALUES(1)")
            try database.executeWrite(timeout: .zero) { #expect($0 === outer) }
            try database.executeRead(timeout: .zero) { #expect($0 === outer) }
            #expect(throws: ValueError.self) {
                try database.transaction(timeout: .zero) { connection in
                    try connection.run("INSERT INTO t VALUES(2)")
                    throw ValueError()
                }
            }
        }
        #expect(try database.executeRead { try $0.query("SELECT count(*) FROM t") } == 1)
    }

    @Test func aWriteWithATimeoutMayHaveADeadlineToo() throws {
        let count = try database.executeWrite(timeout: .seconds(3600), deadline: .seconds(3600)) { connection in
            try connection.run("INSERT INTO t VALUES(1)")
            return connection.changes
        }
        #expect(count == 1)
        let error = try sqliteError {
            try database.executeWrite(timeout: .seconds(3600), deadline: .zero) { try $0.run("DELETE FROM t") }
        }
        #expect(error.kind == .interrupted(.deadline))
        #expect(try database.executeRead { try $0.query("SELECT count(*) FROM t") } == 1)
    }
}
