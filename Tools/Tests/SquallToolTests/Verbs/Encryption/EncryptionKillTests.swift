import Foundation
import Squall
import SquallEncryption
import Testing

/// A kill of `encrypt` or `decrypt` leaves the old file or the new one, whole.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct EncryptionKillTests {
    private static let rows = 20_000

    /// Runs the tool, and sends it a signal after a part of the time that it needs.
    private func run(_ arguments: [String], signal: Int32, after delay: Duration) async throws -> Int32 {
        try await ProcessLimit.shared.run {
            let process = Tool.process(Tool.executable, arguments, [:])
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            let (ends, end) = AsyncStream.makeStream(of: Int32.self)
            process.terminationHandler = { end.yield($0.terminationStatus) }
            try Tool.start(process)
            try await Task.sleep(for: delay)
            kill(process.processIdentifier, signal)
            return try #require(await ends.first { _ in true })
        }
    }

    @Test(arguments: ["encrypt", "decrypt"], [SIGKILL, SIGINT])
    func theFileIsWhole(verb: String, signal: Int32) async throws {
        let folder = try EncryptedFolder()
        let directory = folder.directory
        let (old, new) =
            verb == "encrypt" ? (nil, EncryptedFolder.encryption) : (EncryptedFolder.encryption, nil)
        let master = try folder.database(old, name: "master.db", mode: "WAL", rows: Self.rows)
        let path = directory.path("app.db")
        let arguments = [verb, path] + folder.key
        try FileManager.default.copyItem(atPath: master, toPath: path)
        let start = ContinuousClock.now
        #expect(try await folder.run(arguments).exitCode == 0)
        let time = ContinuousClock.now - start
        for part in 1...4 {
            for name in try directory.files() where name.hasPrefix("app.db") {
                try FileManager.default.removeItem(atPath: directory.path(name))
            }
            try FileManager.default.copyItem(atPath: master, toPath: path)
            let code = try await run(arguments, signal: signal, after: time * Double(part) / 4.5)
            let contents = [old, new].compactMap { try? folder.content($0) }
            #expect(contents.count == 1)
            #expect(contents.first?.hasPrefix("ok ") == true && contents.first?.hasSuffix(" \(Self.rows)") == true)
            // ^C leaves no other file.
            if signal == SIGINT, code != 0 { #expect(try directory.files().filter { $0.hasSuffix(".tmp") } == []) }
        }
    }
}
