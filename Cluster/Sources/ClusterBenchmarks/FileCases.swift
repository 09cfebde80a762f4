import SquallStore

#if os(Linux)
    import Foundation
    import NodeProcesses
    import Squall

    /// Calls on a file, and on a file that Litestream replicates if the environment names the program as `SQUALL_LITESTREAM`.
    ///
    /// A case runs for seconds, so that the work that Litestream does each second falls into it.
    enum FileCases {
        static func measure() async throws {
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = try Database(directory.appendingPathComponent("file.db").path)
            try await Benchmarks.prepare(file)
            guard let program = ProcessInfo.processInfo.environment["SQUALL_LITESTREAM"] else {
                return try await Case.measure(cases("a file", file))
            }
            let path = directory.appendingPathComponent("replicated.db").path
            let replicated = try replicatedDatabase(path)
            try await Benchmarks.prepare(replicated)
            let replica = directory.appendingPathComponent("replica")
            let litestream = try await replicate(path, to: replica, program)
            while !FileManager.default.fileExists(atPath: replica.path) { await Task.yield() }
            try await Case.measure(cases("a file", file) + cases("a file and Litestream", replicated))
            litestream.send(SIGKILL)
            _ = try await litestream.wait()
        }

        /// Opens a database with the settings of the recipe in `Cluster/Litestream`.
        private static func replicatedDatabase(_ path: String) throws -> Database {
            var configuration = Configuration.recommended
            configuration.logLimit = nil
            return try Database(path, configuration: configuration) { try $0.setWALAutoCheckpoint(pages: 0) }
        }

        private static func replicate(_ path: String, to replica: URL, _ program: String) async throws -> ChildProcess {
            let directory = replica.deletingLastPathComponent()
            let configuration = directory.appendingPathComponent("litestream.yml")
            let text = """
                dbs:
                  - path: \(path)
                    replica:
                      type: file
                      path: \(replica.path)
                      sync-interval: 1s
                """
            try text.write(to: configuration, atomically: true, encoding: .utf8)
            return try await ChildProcess([program, "replicate", "-config", configuration.path], in: directory)
        }

        private static func cases(_ name: String, _ database: Database) -> [Case] {
            [
                Case("\(name): read, synchronous closure", 40_000) { number in
                    let _: String = try await database.read {
                        try $0.query("SELECT name FROM items WHERE id = \(number % 1000 + 1)")
                    }
                },
                Case("\(name): read, a connection", 20_000) { number in
                    let _: String = try await database.read(deadline: nil) { (connection: StoreConnection) in
                        try await connection.query("SELECT name FROM items WHERE id = \(number % 1000 + 1)")
                    }
                },
                Case("\(name): write, synchronous closure", 20_000) { number in
                    try await database.write { try $0.run("INSERT INTO numbers VALUES(\(number))") }
                },
                Case("\(name): write, a connection", 20_000) { number in
                    try await database.write(deadline: nil) { (connection: StoreConnection) in
                        _ = try await connection.run("INSERT INTO numbers VALUES(\(number))")
                    }
                },
            ]
        }
    }
#endif
