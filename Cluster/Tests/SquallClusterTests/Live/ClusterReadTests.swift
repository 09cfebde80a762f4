import NIOConcurrencyHelpers
import Squall
import Testing

@testable import SquallCluster

@Suite(.serialized) struct ClusterReadTests {
    private func withCluster(_ body: (TestNodes, Cluster) async throws -> Void) async throws {
        try await TestNodes.with { nodes in
            let cluster = try await nodes.client()
            try await cluster.writeTransaction { try await $0.execute(sql: "CREATE TABLE t(a)") }
            try await body(nodes, cluster)
            await cluster.close()
        }
    }

    @Test func aClosureReadsOneSnapshot() async throws {
        try await withCluster { nodes, cluster in
            try await cluster.readTransaction { transaction in
                #expect(try await transaction.rows(sql: "SELECT a FROM t").all() == [])
                try await cluster.writeTransaction { try await $0.execute(sql: "INSERT INTO t VALUES(1)") }
                #expect(try await transaction.rows(sql: "SELECT a FROM t").all() == [])
            }
            try await cluster.readTransaction(inTransaction: false) { transaction in
                #expect(try await transaction.rows(sql: "SELECT a FROM t").all().count == 1)
                try await cluster.writeTransaction { try await $0.execute(sql: "INSERT INTO t VALUES(2)") }
                #expect(try await transaction.rows(sql: "SELECT a FROM t").all().count == 2)
            }
        }
    }

    @Test func aLinearizableReadSeesTheWritesOfOthers() async throws {
        try await withCluster { nodes, cluster in
            let other = try await nodes.client()
            for number in Int64(1)...5 {
                try await other.writeTransaction { try await $0.execute(sql: "INSERT INTO t VALUES(1)") }
                let rows = try await cluster.readTransaction(.linearizable) {
                    try await $0.rows(sql: "SELECT count(*) FROM t").all()
                }
                #expect(rows == [[.integer(number)]])
            }
            let rows = try await cluster.readTransaction {
                try await $0.rows(sql: "SELECT id, count FROM squall_barrier").all()
            }
            #expect(rows == [[.integer(1), .integer(5)]])
            await other.close()
        }
    }

    @Test func aReadCannotWrite() async throws {
        try await withCluster { _, cluster in
            try await cluster.readTransaction { transaction in
                for sql in ["INSERT INTO t VALUES(1)", "DROP TABLE t", "SAVEPOINT a"] {
                    let error = ClusterError.unsupportedStatement(.writesInRead, sql: sql)
                    await #expect(throws: error) { try await transaction.execute(sql: sql) }
                    await #expect(throws: error) { try await transaction.executeScript(sql) }
                    await #expect(throws: error) { try await transaction.rows(sql: sql) }
                }
            }
        }
    }

    @Test func statementsForOneNodeAreRefused() async throws {
        let cases: [(String, ClusterError.StatementProblem)] = [
            ("ATTACH 'x' AS y", .attach), ("CREATE TEMP TABLE x(a)", .temporary),
            ("CREATE VIEW temp.x AS SELECT 1", .temporary), ("PRAGMA foreign_keys = OFF", .changingPragma),
            ("VACUUM INTO 'x'", .vacuumInto), ("COMMIT", .transaction), ("ROLLBACK", .transaction),
        ]
        try await withCluster { _, cluster in
            try await cluster.writeTransaction { transaction in
                for (sql, problem) in cases {
                    let error = ClusterError.unsupportedStatement(problem, sql: sql)
                    await #expect(throws: error) { try await transaction.execute(sql: sql) }
                    let script = ClusterError.unsupportedStatement(problem, sql: "SELECT 1; " + sql)
                    await #expect(throws: script) { try await transaction.executeScript("SELECT 1; " + sql) }
                }
                try await transaction.execute(sql: "INSERT INTO t VALUES(1)")
            }
            try await cluster.readTransaction { transaction in
                let cases: [(String, BindingValue)] = [
                    ("PRAGMA user_version", .integer(0)), ("PRAGMA foreign_keys", .integer(1)),
                    ("PRAGMA integrity_check", .text("ok")), ("SELECT a FROM t", .integer(1)),
                ]
                for (sql, value) in cases {
                    let rows = try await transaction.rows(sql: sql).all()
                    #expect(rows == [[value]], "\(sql)")
                }
            }
        }
    }

    @Test func aTransactionCannotBeUsedAfterItsClosure() async throws {
        try await withCluster { _, cluster in
            let read = try await cluster.readTransaction { $0 }
            await #expect(throws: ClusterError.transactionEnded) { try await read.rows(sql: "SELECT 1") }
            let write = try await cluster.writeTransaction { $0 }
            await #expect(throws: ClusterError.transactionEnded) { try await write.execute(sql: "DELETE FROM t") }
            await #expect(throws: ClusterError.transactionEnded) { try await write.executeScript("DELETE FROM t") }
        }
    }

    @Test func rowsEndWithTheirClosure() async throws {
        try await withCluster { _, cluster in
            let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i FROM n"
            var rows: NodeRows? = try await cluster.readTransaction { try await $0.rows(sql: sql) }
            await #expect(throws: ClusterError.transactionEnded) {
                while try await rows?.next() != nil {}
            }
            // The connection belongs to another read when the rows are released.
            try await cluster.readTransaction { transaction in
                let others = try await transaction.rows(sql: sql)
                rows = nil
                #expect(try await others.all().count == 3_000)
            }
        }
    }

    @Test func connectionsAreUsedAgain() async throws {
        try await withCluster { _, cluster in
            var connections: Set<ObjectIdentifier> = []
            for _ in 0..<20 {
                try await cluster.readTransaction { transaction in
                    connections.insert(ObjectIdentifier(transaction.connection))
                    _ = try await transaction.rows(sql: "SELECT 1").all()
                }
            }
            #expect(connections.count == 1)
        }
    }

    @Test func aReadWaitsForAConnectionUntilItsDeadline() async throws {
        try await TestNodes.with { nodes in
            let cluster = try await nodes.client { $0.maximumConnections = 1 }
            try await cluster.readTransaction { _ in
                await #expect(throws: ClusterError.deadlineExceeded(mayHaveRun: false)) {
                    try await cluster.readTransaction(deadline: .milliseconds(20)) { _ in }
                }
                let task = Task { try await cluster.readTransaction { _ in } }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            try await cluster.readTransaction { _ in }
            await cluster.close()
            await #expect(throws: ClusterError.clusterClosed) { try await cluster.readTransaction { _ in } }
        }
    }
}
