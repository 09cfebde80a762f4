@testable import SquallCluster

/// Connections that read a long result at the same time.
struct Reading: Sendable {
    let count: Int
    private let started: AsyncStream<Void>
    private let start: AsyncStream<Void>.Continuation

    init(count: Int) {
        self.count = count
        (started, start) = AsyncStream.makeStream()
    }

    /// Reads until the connection ends.
    func read(_ connection: NodeConnection, isPrepared: Bool) async {
        let sql = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'abcdefghijkl' FROM n"
        do {
            let rows = isPrepared ? try await connection.query(sql) : try await connection.queryOnce(sql)
            for _ in 0..<1_000 { _ = try await rows.next() }
            start.yield()
            while try await rows.next() != nil {}
        } catch {
            start.yield()
        }
    }

    /// Waits until all connections receive rows.
    func hasStarted() async {
        var iterator = started.makeAsyncIterator()
        for _ in 0..<count { await iterator.next() }
    }
}
