#if os(Linux)
    import Foundation
    import Squall
    import SquallEncryption
    import Testing

    /// The key is typed on a terminal, which does not show it.
    @Suite(
        .enabled(if: EncryptedFolder.hasCipher && FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")))
    struct EncryptionPromptTests {
        private let folder: EncryptedFolder
        private let path: String

        init() throws {
            folder = try EncryptedFolder()
            path = folder.directory.path("app.db")
        }

        private static let iterations = ["--kdf-iterations", "10"]

        private static var encryption: Encryption {
            var encryption = Encryption.passphrase { "secret" }
            encryption.parameters.iterations = 10
            return encryption
        }

        private func start(_ arguments: [String]) throws -> Pseudoterminal {
            try Pseudoterminal(arguments + Self.iterations, columns: 200, environment: ["NO_COLOR": "1"])
        }

        @Test func theKeyIsAskedForOnce() async throws {
            _ = try folder.database(Self.encryption)
            _ = try folder.database(Self.encryption, name: "copy.db")
            let terminal = try start([
                "diff", path, folder.directory.path("copy.db"), "--data", "--summary", "--format", "csv",
            ])
            try await terminal.read(until: "Key of \(path): ")
            #expect(!terminal.isInLineMode)
            try terminal.type("secret\n")
            let (rest, exitCode) = try await terminal.finish()
            #expect(exitCode == 0)
            #expect(!rest.contains("secret") && !rest.contains("Key of"), "\(rest)")
            #expect(terminal.isInLineMode)
        }

        @Test func aFileTellsByItselfThatItNeedsAKey() async throws {
            _ = try folder.database(EncryptedFolder.encryption)
            let terminal = try Pseudoterminal(["doctor", path, "--format", "csv"], environment: ["NO_COLOR": "1"])
            try await terminal.read(until: "Key of \(path): ")
            try terminal.type("wrong\n")
            let (rest, exitCode) = try await terminal.finish()
            #expect(exitCode == 65 && rest.contains("the key is not that of the file"), "\(rest)")
        }

        @Test func aNewKeyIsTypedTwice() async throws {
            _ = try folder.database()
            let differing = try start(["encrypt", path])
            try await differing.read(until: "New key of \(path): ")
            try differing.type("secret\n")
            try await differing.read(until: "New key again: ")
            try differing.type("secrets\n")
            let (error, code) = try await differing.finish()
            #expect(code == 64 && error.contains("error: the two keys differ"), "\(error)")
            #expect(try folder.content(nil) == "ok delete 100")

            let terminal = try start(["encrypt", path])
            try await terminal.read(until: "New key of \(path): ")
            try terminal.type("secret\n")
            try await terminal.read(until: "New key again: ")
            try terminal.type("secret\n")
            let (rest, exitCode) = try await terminal.finish()
            #expect(exitCode == 0 && !rest.contains("secret"), "\(rest)")
            #expect(try folder.content(Self.encryption) == "ok delete 100")
        }

        @Test func anEmptyKeyIsRefused() async throws {
            _ = try folder.database(Self.encryption)
            for end in ["\n", "\u{4}"] {
                let terminal = try start(["tables", path])
                try await terminal.read(until: "Key of \(path): ")
                try terminal.type(end)
                let (rest, exitCode) = try await terminal.finish()
                #expect(exitCode == 64 && rest.contains("error: no key was typed"), "\(rest)")
            }
        }

        @Test(arguments: [SIGINT, SIGTERM]) func theTerminalHasItsEchoAgainAfterASignal(_ signal: Int32) async throws {
            _ = try folder.database(Self.encryption)
            let terminal = try start(["tables", path])
            try await terminal.read(until: "Key of \(path): ")
            try terminal.type("sec")
            if signal == SIGINT { try terminal.type("\u{3}") } else { terminal.signal(signal) }
            let (rest, exitCode) = try await terminal.finish()
            #expect(exitCode == 128 + signal, "\(rest)")
            // The system may hand over what was typed after a signal that does not come from the terminal.
            if signal == SIGINT { #expect(!rest.contains("sec"), "\(rest)") }
            #expect(terminal.isInLineMode)
        }
    }
#endif
