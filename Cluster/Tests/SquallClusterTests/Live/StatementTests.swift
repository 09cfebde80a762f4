import Foundation
import Squall
import Testing

@testable import SquallCluster

@Suite(.serialized) struct StatementTests {
    static let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "

    @Test func valuesOfAllStorageClassesComeBack() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            try await connection.execute("CREATE TABLE t(a, b, c, d, e)")
            let row: [BindingValue] = [
                .integer(.min), .real(-0.1), .text("größer ✓"), .blob(Data([0, 1, 255])), .null,
            ]
            let result = try await connection.execute("INSERT INTO t VALUES(?, ?, ?, ?, ?)", row)
            #expect(result == ExecutionResult(lastInsertedRowID: 1, changes: 1))
            let rows = try await connection.query("SELECT a, b, c, d, e FROM t")
            #expect(rows.columns == ["a", "b", "c", "d", "e"])
            #expect(try await rows.next() == row)
            #expect(try await rows.next() == nil)
            let empty = try await connection.rows("SELECT ?, ?", [.text(""), .blob(Data())])
            #expect(empty == [[.text(""), .blob(Data())]])
        }
    }

    @Test func declaredTypesKeepIntegersAndTextButLoseNull() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            try await connection.execute("CREATE TABLE t(b BOOLEAN, d DATETIME)")
            try await connection.executeScript(
                "INSERT INTO t VALUES(1, '2026-11-25'); INSERT INTO t VALUES(7, 5); INSERT INTO t VALUES(NULL, NULL)")
            #expect(
                try await connection.rows("SELECT b, d FROM t") == [
                    [.integer(1), .text("2026-11-25")], [.integer(7), .integer(5)], [.integer(0), .text("")],
                ])
            #expect(try await connection.rows("SELECT +b, +d FROM t WHERE b IS NULL") == [[.null, .null]])
        }
    }

    @Test func errorsOfSQLiteHaveTheirExtendedCode() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            try await connection.execute("CREATE TABLE t(a UNIQUE)")
            try await connection.execute("INSERT INTO t VALUES(1)")
            let insert = "INSERT INTO t VALUES(1)"
            let failure = NodeFailure(code: 2_067, message: "UNIQUE constraint failed: t.a", sql: insert)
            await #expect(throws: ClusterError.refused(failure)) { try await connection.execute(insert) }
            #expect(failure.sqliteError?.extendedResultCode == .constraintUnique)
            await #expect(throws: ClusterError.self) { try await connection.execute("SELEC") }
            await #expect(throws: ClusterError.self) { try await connection.query("SELECT * FROM nothing") }
            #expect(try await connection.rows("SELECT a FROM t") == [[.integer(1)]])
        }
    }

    @Test func statementsThatANodeMisreadsAreRefused() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            try await connection.execute("CREATE TABLE t(a)")
            let cases: [(String, ClusterError.StatementProblem)] = [
                ("INSERT INTO t VALUES(1) RETURNING a", .writesRows), ("SELECT 1; SELECT 2", .multipleStatements),
                ("-- nothing", .empty), ("WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", .writesRows),
                ("PRAGMA user_version = 1", .writesRows), ("PRAGMA nonsense", .noColumns),
            ]
            for (sql, problem) in cases {
                let error = ClusterError.unsupportedStatement(problem, sql: sql)
                await #expect(throws: error) { try await connection.query(sql) }
                await #expect(throws: error) { try await connection.queryOnce(sql) }
            }
            let sql = "INSERT INTO t VALUES(1) RETURNING a"
            await #expect(throws: ClusterError.unsupportedStatement(.returning, sql: sql)) {
                try await connection.execute(sql)
            }
            for pragma in [
                "PRAGMA wal_checkpoint", "PRAGMA main.journal_mode = DELETE", "pragma page_size(8192)",
                "PRAGMA main.\"journal_mode\" = x",
            ] {
                for sql in [pragma, pragma + "; SELECT 1"] {
                    await #expect(throws: ClusterError.unsupportedStatement(.unsafePragma, sql: sql)) {
                        try await connection.executeScript(sql)
                    }
                }
                await #expect(throws: ClusterError.unsupportedStatement(.unsafePragma, sql: pragma)) {
                    try await connection.execute(pragma)
                }
            }
            let script = "DELETE FROM t; " + sql
            await #expect(throws: ClusterError.unsupportedStatement(.returning, sql: script)) {
                try await connection.executeScript(script)
            }
            #expect(try await connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
        }
    }

    @Test func statementsThatReturnRowsAreNotExecuted() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            try await connection.execute("CREATE TABLE t(a)")
            for sql in ["SELECT 1", "VALUES(1)", "PRAGMA user_version", "EXPLAIN SELECT 1"] {
                let error = ClusterError.unsupportedStatement(.returnsRows, sql: sql)
                await #expect(throws: error) { try await connection.execute(sql) }
                let script = "INSERT INTO t VALUES(1); \(sql); INSERT INTO t VALUES(2)"
                let scriptError = ClusterError.unsupportedStatement(.returnsRows, sql: script)
                await #expect(throws: scriptError) { try await connection.executeScript(script) }
            }
            #expect(try await connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
        }
    }

    @Test func aResultHasAnyNumberOfColumnsWhoseNamesLeaveRoomForARow() async throws {
        try await TestNodes.with { cluster in
            // A name takes 8 bytes at least, and a message has 4,096 before the last row.
            let counts = [(480, true), (490, true), (509, true), (512, false), (2_000, false)]
            for (count, isPossible) in counts {
                let connection = try await cluster.connect()
                let sql = "SELECT " + (0..<count).map { "\($0) AS c\($0)" }.joined(separator: ",")
                if isPossible {
                    #expect(try await connection.rows(sql) == [(0..<count).map { .integer(Int64($0)) }])
                } else {
                    let error = ClusterError.unsupportedStatement(.columnNames, sql: sql)
                    await #expect(throws: error) { try await connection.query(sql) }
                    await #expect(throws: ClusterError.self) { try await connection.rows("SELECT 1") }
                }
            }
            let client = try await cluster.client()
            let long = (0..<100).map { "\($0) AS \(String(repeating: "c", count: 40))\($0)" }.joined(separator: ",")
            let sql = "SELECT " + long
            await #expect(throws: ClusterError.unsupportedStatement(.columnNames, sql: sql)) {
                try await client.readTransaction { transaction in
                    _ = try? await transaction.rows(sql: sql)
                    _ = try await transaction.rows(sql: "SELECT 1")
                }
            }
            #expect(try await client.readTransaction { try await $0.rows(sql: "SELECT 1").all() } == [[.integer(1)]])
            await client.close()
        }
    }

    /// A row that begins near the end of a buffer of the node made it write beyond: see `enlargeBuffer`.
    @Test func aNodeSurvivesWideRowsOfAllLengths() async throws {
        try await TestNodes.with { cluster in
            for columns in [33, 40, 64, 100, 250] {
                for length in 0..<16 {
                    let connection = try await cluster.connect()
                    let text = String(repeating: "x", count: length * 8)
                    let names = (0..<columns).map { "\($0 == 0 ? "'\(text)'" : "\($0)") AS c\($0)" }
                    let sql = Self.numbers + "SELECT \(names.joined(separator: ",")) FROM n"
                    #expect(try await connection.query(sql, [.integer(20)]).all().count == 20)
                    await connection.close()
                }
            }
        }
    }

    @Test func valuesMustFitTheParameters() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            #expect(try await connection.prepare("SELECT ?, ?") == 2)
            await #expect(throws: ClusterError.parameterCount(expected: 2, given: 1)) {
                try await connection.query("SELECT ?, ?", [.null])
            }
            await #expect(throws: ClusterError.zeroByte(in: .value(index: 1))) {
                try await connection.query("SELECT ?, ?", [.null, .text("a\0b")])
            }
            let most = "SELECT 1 WHERE 254 IN (\(Array(repeating: "?", count: 255).joined(separator: ",")))"
            #expect(try await connection.rows(most, (0..<255).map { .integer($0) }) == [[.integer(1)]])
            let more = "SELECT 1 WHERE 1 IN (\(Array(repeating: "?", count: 256).joined(separator: ",")))"
            do {
                let rows = try await connection.rows(more, (0..<256).map { .integer($0) })
                #expect(rows == [[.integer(1)]])
            } catch {
                #expect(error as? ClusterError == .tooManyParameters(given: 256, limit: 255))
            }
        }
    }

    @Test func longResultsComeInParts() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            let rows = try await connection.query(Self.numbers + "SELECT i, 'abcdefghijkl' FROM n", [.integer(20_000)])
            var sum: Int64 = 0
            while let row = try await rows.next() {
                if case .integer(let value) = row[0] { sum += value }
            }
            #expect(sum == 200_010_000)
            let once = try await connection.queryOnce(Self.numbers + "SELECT count(*) FROM n", [.integer(10)])
            #expect(try await once.all() == [[.integer(10)]])
        }
    }

    @Test func openRowsRefuseAnotherRequestUntilTheyAreClosed() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            var rows: NodeRows? = try await connection.query(Self.numbers + "SELECT i FROM n", [.integer(20_000)])
            #expect(try await rows?.next() == [.integer(1)])
            await #expect(throws: ClusterError.rowsAreOpen) { try await connection.execute("SELECT 1") }
            rows = nil
            #expect(try await connection.rows("SELECT 2") == [[.integer(2)]])
        }
    }

    @Test func longAbandonedRowsCloseTheConnection() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect { $0.drainLimit = 10_000 }
            let rows = try await connection.query(Self.numbers + "SELECT i FROM n", [.integer(200_000)])
            rows.close()
            await #expect(throws: ClusterError.self) { try await connection.execute("SELECT 1") }
            #expect(!connection.isOpen)
        }
    }

    @Test func statementsAreEvictedFromTheCache() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect { $0.statementCacheCapacity = 2 }
            for round in 0..<3 {
                for number in 0..<4 {
                    let rows = try await connection.rows("SELECT \(number), ?", [.integer(Int64(round))])
                    #expect(rows == [[.integer(Int64(number)), .integer(Int64(round))]])
                }
            }
        }
    }

    @Test func requestsOfManyTasksRunInOrder() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            try await connection.execute("CREATE TABLE t(a)")
            try await withThrowingTaskGroup { group in
                for number in Int64(0)..<50 {
                    group.addTask { try await connection.execute("INSERT INTO t VALUES(?)", [.integer(number)]) }
                }
                try await group.waitForAll()
            }
            #expect(try await connection.rows("SELECT sum(a) FROM t") == [[.integer(1_225)]])
        }
    }

    @Test func textThatIsNotUTF8IsAnErrorOfTheRowsOnly() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            await #expect(throws: ClusterError.self) { try await connection.rows("SELECT CAST(x'ff' AS TEXT)") }
            #expect(try await connection.rows("SELECT 1") == [[.integer(1)]])
        }
    }

    @Test func transactionsSpanRequests() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            let other = try await cluster.connect()
            try await connection.execute("CREATE TABLE t(a)")
            try await connection.execute("BEGIN IMMEDIATE")
            try await connection.execute("INSERT INTO t VALUES(1)")
            await #expect {
                try await other.execute("INSERT INTO t VALUES(2)")
            } throws: { error in
                if case ClusterError.refused(let failure) = error { failure.kind == .busy } else { false }
            }
            #expect(try await other.rows("SELECT * FROM t") == [])
            // The node rolls back when the connection ends.
            await connection.close()
            while (try? await other.execute("INSERT INTO t VALUES(3)")) == nil { await Task.yield() }
            #expect(try await other.rows("SELECT * FROM t") == [[.integer(3)]])
        }
    }
}
