import SquallStore

#if os(Linux)
    import Foundation
    import NIOConcurrencyHelpers
    import Squall
    import SquallCluster

    /// Reads a long result, and reports by how much the memory of this process has grown.
    enum LongResult {
        /// Prints the number of rows, of the bytes of their texts, and of the kilobytes of memory.
        static func read(from address: String, rows: Int) async throws {
            let cluster = try await Cluster(nodes: [address], database: "app")
            // What any query needs is not counted.
            _ = try await sizes(cluster, rows: 1)
            let before = try peak()
            let (count, bytes) = try await sizes(cluster, rows: rows)
            say("\(count) \(bytes) \(try peak() - before)")
            await cluster.close()
        }

        private static func sizes(_ cluster: Cluster, rows: Int) async throws -> (count: Int, bytes: Int) {
            let sizes = NIOLockedValueBox((count: 0, bytes: 0))
            try await cluster.read { (connection: StoreConnection) async throws -> Void in
                sizes.withLockedValue { $0 = (0, 0) }
                try await connection.forEach(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
                    SELECT i, printf('%01000d', i) AS text FROM n
                    """
                ) { row in
                    let text: String = try row.get("text")
                    sizes.withLockedValue { $0 = ($0.count + 1, $0.bytes + text.utf8.count) }
                }
            }
            return sizes.withLockedValue(\.self)
        }

        /// Returns the largest memory that the process has had, in kilobytes.
        private static func peak() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
        }
    }
#endif
