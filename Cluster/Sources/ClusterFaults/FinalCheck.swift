#if os(Linux)
    import Foundation
    import Squall
    import SquallCluster

    /// The comparison of what the cluster has with what its clients were told, after the faults.
    struct FinalCheck {
        struct Line {
            let name: String
            let count: Int
            let violations: Int
        }

        let nodes: FaultNodes
        let load: Load
        let register: RegisterHistory
        let faults: Int

        /// Returns a line for each property.
        func lines() async throws -> [Line] {
            let names = try await load.cluster.read(.linearizable) { connection in
                try await connection.query("SELECT name FROM entries") as [String]
            }
            let found = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
            let (keyed, plain, counts) = (load.ledger.keyed, load.ledger.plain, load.ledger.counts)
            let acknowledged = keyed.merging(plain) { first, _ in first }.filter { $0.value == .acknowledged }.keys
            let refused = plain.filter { $0.value == .refused }.keys
            let operations = register.operations
            let violation = LinearizabilityCheck(operations, initial: 0).violation()
            if let violation { say("not linearizable: \(violation)") }
            return [
                Line(
                    name: "acknowledged writes lost", count: acknowledged.count,
                    violations: acknowledged.count { found[$0] == nil }),
                Line(
                    name: "writes with a key done twice (\(counts.repeated) calls repeated a key)", count: keyed.count,
                    violations: keyed.keys.count { found[$0, default: 0] > 1 }),
                Line(
                    name: "writes without a key done twice", count: plain.count,
                    violations: plain.keys.count { found[$0, default: 0] > 1 }),
                Line(
                    name: "writes done although their error said they were not", count: refused.count,
                    violations: refused.count { found[$0] != nil }),
                Line(
                    name: "unknown outcomes without a key beyond the number of faults", count: counts.unknown,
                    violations: max(0, counts.unknown - faults)),
                Line(
                    name: "sums of ten accounts in one snapshot", count: counts.sums,
                    violations: load.ledger.wrongSums.count),
                Line(
                    name: "operations on the register (\(counts.linearizable) linearizable reads)",
                    count: operations.count, violations: violation == nil ? 0 : 1),
                Line(
                    name: "nodes with other contents than the leader", count: nodes.addresses.count,
                    violations: try await differences()),
            ]
        }

        /// Returns how many nodes do not get the same rows as the first.
        private func differences() async throws -> Int {
            let end = ContinuousClock.now + .seconds(20)
            while true {
                var contents: [[String]] = []
                for index in nodes.addresses.indices { contents.append(try await content(of: index)) }
                let count = contents.dropFirst().count { $0 != contents[0] }
                // A follower may be some entries behind.
                if count == 0 || ContinuousClock.now > end { return count }
                try await Task.sleep(for: .milliseconds(50))
            }
        }

        /// Returns the schema and the rows that a node has, by a dump of its database.
        private func content(of index: Int) async throws -> [String] {
            let connection = try await NodeConnection.connect(to: nodes.addresses[index])
            let path = nodes.directory.appendingPathComponent("content-\(index).db").path
            try await connection.exportDatabase("app", to: path, replacing: true)
            await connection.close()
            let database = try Connection(path)
            let tables: [String] = try database.query(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            var content: [String] = try database.query(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
            for table in tables {
                let columns: [String] = try database.query("SELECT name FROM pragma_table_info(\(table)) ORDER BY cid")
                let values = columns.map { "quote(\(name: $0))" as SQL }.joined(separator: " || ',' || ")
                content += try database.query("SELECT \(values) FROM \(name: table) ORDER BY rowid") as [String]
            }
            return content
        }
    }
#endif
