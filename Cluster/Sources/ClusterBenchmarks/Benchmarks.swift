import SquallStore

#if os(Linux)
    import CRawClient
    import Foundation
    import Glibc
    import NodeProcesses
    import Squall
    import SquallCluster

    /// Files, then three nodes on loopback, and the same work by `Cluster` and by a client in C on blocking sockets, in turn.
    ///
    ///     ClusterBenchmarks [files]
    @main enum Benchmarks {
        static func main() async throws {
            try await FileCases.measure()
            if CommandLine.arguments.contains("files") { return }
            try await BenchmarkNodes.with { nodes in
                let cluster = try await Cluster(nodes: nodes.addresses, database: "app")
                try await prepare(cluster)
                let port = Int(try await cluster.leader().split(separator: ":")[1]) ?? 0
                try await points(cluster, port)
                try await throughput(cluster, port)
                try await rows(cluster, port)
                await cluster.close()
                try await failover(nodes)
            }
        }

        struct Item: TableRecord, Codable {
            let id: Int64
            let name: String
            let price: Double
            let note: String?
            let hash: Data

            static let table = Table("items", Item.init) {
                Column("id", \Item.id, .primaryKey)
                Column("name", \Item.name)
                Column("price", \Item.price)
                Column("note", \Item.note)
                Column("hash", \Item.hash)
            }
        }

        private static let schema = Schema("benchmark") {
            Version(1) {
                CreateTable(Item.table.definition)
                Execute("CREATE TABLE numbers(n INTEGER)")
                Execute(
                    """
                    INSERT INTO items WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                    SELECT i, 'item ' || i, i * 1.5, CASE WHEN i % 2 THEN 'a note' END, randomblob(20) FROM n
                    """)
            }
        }

        private static let insert = "INSERT INTO numbers VALUES(?)"
        private static let point = "SELECT name FROM items WHERE id = ?"

        static func prepare(_ store: some SQLStore) async throws { try await store.migrate(schema) }

        /// One call after the other.
        private static func points(_ cluster: Cluster, _ port: Int) async throws {
            let raw = try Raw(port)
            let rawWrite = Case("write: BEGIN IMMEDIATE, INSERT, COMMIT, in C", 200) { try raw.write($0) }
            let rawAlone = Case("write: INSERT alone, in C", 200) { try raw.run(raw.insert, $0) }
            let rawRead = Case("read: SELECT, in C", 2_000) { try raw.select($0) }
            let rawSnapshot = Case("read: BEGIN, SELECT, COMMIT, in C", 1_000) { try raw.snapshot($0) }
            try await Case.measure([
                rawWrite, rawAlone, rawRead, rawSnapshot,
                Case("write", 200, beside: rawWrite) { try await write(cluster, $0) },
                Case("write with a key", 200, beside: rawWrite) { number in
                    try await cluster.write(idempotencyKey: UUID().uuidString) {
                        _ = try await $0.run("INSERT INTO numbers VALUES(\(number))")
                    }
                },
                Case("read, without a transaction", 2_000, beside: rawRead) {
                    try await read(cluster, inTransaction: false, row: $0)
                },
                Case("read", 1_000, beside: rawSnapshot) { try await read(cluster, row: $0) },
                Case("read(.linearizable)", 200, beside: rawRead) { try await read(cluster, .linearizable, row: $0) },
            ])
        }

        private static func write(_ cluster: Cluster, _ number: Int) async throws {
            _ = try await cluster.write { try await $0.run("INSERT INTO numbers VALUES(\(number))") }
        }

        private static func read(
            _ cluster: Cluster, _ consistency: ReadConsistency = .leader, inTransaction: Bool = true, row number: Int
        ) async throws {
            try await cluster.read(consistency, inTransaction: inTransaction) {
                let _: String = try await $0.query("SELECT name FROM items WHERE id = \(number % 1000 + 1)")
            }
        }

        /// 16 tasks or threads that write.
        private static func throughput(_ cluster: Cluster, _ port: Int) async throws {
            var best = (raw: 0.0, cluster: 0.0)
            for _ in 0..<3 {
                best.raw = max(
                    best.raw,
                    try await rate {
                        try Raw(port)
                    } _: { raw in
                        { try raw.writeWaiting($0) }
                    })
                best.cluster = max(
                    best.cluster,
                    try await rate {
                    } _: { _ in
                        { number in try await write(cluster, number) }
                    })
            }
            print(
                "writes by 16 threads, in C: \(Int(best.raw))/s; by 16 tasks: \(Int(best.cluster))/s, \(ratio(best.cluster / best.raw))"
            )
        }

        private static func rate<Client>(
            _ client: @escaping @Sendable () throws -> Client,
            _ work: @escaping @Sendable (Client) -> (Int) async throws -> Void
        ) async throws -> Double {
            let start = ContinuousClock.now
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        let client = try client()
                        let write = work(client)
                        for number in 0..<50 { try await write(number) }
                        return 50
                    }
                }
                return try await group.reduce(0, +)
            }
            return Double(count) / (ContinuousClock.now - start).seconds
        }

        /// A result of 1,000 rows of five columns.
        private static func rows(_ cluster: Cluster, _ port: Int) async throws {
            let raw = try Raw(port)
            let bytes = Case("1,000 rows, the bytes in C", 50) { _ in try raw.all() }
            try await Case.measure([
                bytes,
                Case("1,000 rows of a table", 50, beside: bytes) { _ in
                    let items = try await cluster.read(.leader, inTransaction: false) { try await $0.all(Item.self) }
                    precondition(items.count == 1000)
                },
                Case("1,000 rows, Decodable", 50, beside: bytes) { _ in
                    let items: [Item] = try await cluster.read(.leader, inTransaction: false) {
                        try await $0.query("SELECT * FROM items", as: [Item].self)
                    }
                    precondition(items.count == 1000)
                },
            ])
        }

        /// The time from the end of the leader to the next write.
        private static func failover(_ nodes: BenchmarkNodes) async throws {
            var times: [Double] = []
            for _ in 0..<10 {
                let cluster = try await Cluster(nodes: nodes.addresses, database: "app")
                try await cluster.write { try await $0.run("INSERT INTO numbers VALUES(1)") }
                let index = try nodes.index(of: await cluster.leader())
                try await nodes.kill(index)
                let start = ContinuousClock.now
                try await cluster.write { try await $0.run("INSERT INTO numbers VALUES(2)") }
                times.append((ContinuousClock.now - start).seconds)
                await cluster.close()
                try await nodes.start(index)
                try await nodes.waitForAll()
            }
            times.sort()
            print(
                "leader killed, first write after: \(ratio(times[0]))–\(ratio(times[9])) s, median \(ratio(times[5])) s"
            )
        }

        static func ratio(_ value: Double) -> String { String((value * 100).rounded() / 100) }
    }

    extension Duration {
        var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
    }
#else
    @main enum Benchmarks {
        static func main() { print("nodes run on Linux only") }
    }
#endif
