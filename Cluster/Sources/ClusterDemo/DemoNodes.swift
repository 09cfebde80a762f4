#if os(Linux)
    import Foundation
    import Glibc

    /// Processes of `squall-node serve` on loopback, which end with this process.
    final class DemoNodes {
        let addresses: [String]
        private let directory: URL
        private var processes: [Process?]

        init(count: Int) throws {
            directory = FileManager.default.temporaryDirectory.appendingPathComponent("demo-\(UUID().uuidString)")
            // Ports that the system does not give to outgoing connections.
            let port = Int.random(in: 10_000..<30_000)
            addresses = (0..<count).map { "127.0.0.1:\(port + $0)" }
            processes = Array(repeating: nil, count: count)
        }

        /// Starts a node, again if it has ended. It prints to a file in its directory.
        func start(_ index: Int) throws {
            let path = directory.appendingPathComponent("\(index + 1)")
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("squall-node").path
            process.arguments =
                ["setpriv", "--pdeathsig", "KILL", tool, "serve", "--id", "\(index + 1)"]
                + ["--address", addresses[index], "--directory", path.path, "--latency", "5"]
                + (index == 0 ? [] : ["--join", addresses[0]])
            let log = path.appendingPathComponent("log")
            _ = FileManager.default.createFile(atPath: log.path, contents: nil)
            process.standardError = try FileHandle(forWritingTo: log)
            try process.run()
            processes[index] = process
        }

        func kill(_ index: Int) {
            guard let process = processes[index] else { return }
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            processes[index] = nil
        }

        /// Ends all nodes and removes their files.
        func removeAll() {
            for index in processes.indices { kill(index) }
            try? FileManager.default.removeItem(at: directory)
        }
    }
#endif
