#if os(Linux)
    import Foundation
    import Testing

    /// Many devices that wait for changes.
    @Suite(.timeLimit(.minutes(2))) struct IdleTests {
        /// The memory of a process in kilobytes.
        private func memory(of process: Process) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
            return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
        }

        @Test func aThousandStreamsTakeLittleMemory() async throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appending(path: "SyncServerProcess")
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            defer { process.terminate() }
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
            let first = try RawSocket.events(port, "ada")
            #expect(await first.read(until: "data:").contains("event: changes"))
            let before = try memory(of: process)
            var sockets: [RawSocket] = []
            for _ in 0..<1_000 { sockets.append(try RawSocket.events(port, "ada")) }
            for socket in sockets { #expect(await socket.read(until: "data:").contains("event: changes")) }
            let after = try memory(of: process)
            // A change is told to all.
            let start = ContinuousClock.now
            let writer = try RawSocket(port: port)
            writer.write("POST /write HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
            #expect(await writer.read(until: "204").contains("204"))
            for socket in sockets { #expect(await socket.read(until: "data:").contains("id:")) }
            let told = ContinuousClock.now - start
            let peak = try memory(of: process)
            print(
                "a hub with 1,000 idle streams: \(before / 1_000) MB before, \(after / 1_000) MB, \(peak / 1_000) MB after a change,"
                    + " which took \(told)")
            #expect(peak < 200_000)
        }
    }
#endif
