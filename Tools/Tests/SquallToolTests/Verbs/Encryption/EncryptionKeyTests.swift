import Foundation
import Squall
import SquallEncryption
import Testing

/// How the key of a file is given.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct EncryptionKeyTests {
    private let folder: EncryptedFolder
    private let path: String
    private let sql = ["SELECT count(*) AS n FROM notes", "--format", "csv"]

    init() throws {
        folder = try EncryptedFolder()
        path = folder.directory.path("app.db")
    }

    /// Returns the encryption of a passphrase whose derivation is fast.
    private func passphrase(_ bytes: [UInt8]) -> Encryption {
        var encryption = Encryption.passphrase { bytes }
        encryption.parameters.iterations = 10
        return encryption
    }

    private func query(_ options: [String], _ environment: [String: String] = [:]) async throws -> Outcome {
        try await folder.run(["query", path] + sql + ["--kdf-iterations", "10"] + options, environment: environment)
    }

    private let refusal = """
        error: %: the key is not that of the file (SQLITE_NOTADB)
        hint: the parameters must be those of the file as well; a damaged first page has the same effect

        """

    @Test func aKeyMayHaveAnyBytes() async throws {
        for key in [[0, 1, 0, 255, 10], [UInt8](repeating: 0x78, count: 10_000), Array("päss wörd".utf8)] as [[UInt8]] {
            _ = try folder.database(passphrase(key))
            // One newline at the end is not of the key.
            let file = try folder.keyFile("passphrase", key + [10])
            expect(try await query(["--key-file", file]), prints: "n\n100\n")
            let other = try folder.keyFile("other", key.dropLast() + [9])
            expect(
                try await query(["--key-file", other]), fails: refusal.replacing("%", with: path), exitCode: 65)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func theVariableHasTheKey() async throws {
        _ = try folder.database(passphrase(Array("secret".utf8)))
        expect(try await query([], ["SQUALL_KEY": "secret"]), prints: "n\n100\n")
        expect(
            try await query([], ["SQUALL_KEY": "Secret"]), fails: refusal.replacing("%", with: path), exitCode: 65)
        expect(
            try await query([], ["SQUALL_KEY": ""]), fails: "error: the variable SQUALL_KEY is empty\n", exitCode: 64)
        // The option is before the variable.
        let file = try folder.keyFile("passphrase", Array("secret".utf8))
        expect(try await query(["--key-file", file], ["SQUALL_KEY": "other"]), prints: "n\n100\n")
    }

    @Test func aPipeHasTheKey() async throws {
        _ = try folder.database(passphrase(Array("secret".utf8)))
        let outcome = try await Tool.shell(
            "printf 'secret\\n' | \"$SQUALL\" query \"$1\" \"$2\" --format csv --kdf-iterations 10 --key-file /dev/stdin",
            [path, sql[0]])
        expect(outcome, prints: "n\n100\n")
    }

    @Test func withoutAKeyAndATerminalTheUsageIsWrong() async throws {
        _ = try folder.database(passphrase(Array("secret".utf8)))
        let hint = "hint: --key-file or the variable SQUALL_KEY gives it; on a terminal, it is asked for\n"
        expect(
            try await folder.run(["query", path] + sql),
            fails: "error: \(path): the file seems to be encrypted, and no key is given\n" + hint, exitCode: 64)
        expect(try await query([]), fails: "error: \(path): no key is given\n" + hint, exitCode: 64)
    }

    @Test func keyFilesThatCannotBeUsedAreRefused() async throws {
        _ = try folder.database(EncryptedFolder.encryption)
        let (empty, newline) = (try folder.keyFile("empty", []), try folder.keyFile("newline", [10]))
        for file in [empty, newline] {
            expect(
                try await query(["--key-file", file]), fails: "error: the key file '\(file)' is empty\n", exitCode: 64)
        }
        let directory = folder.directory.url.path
        expect(
            try await query(["--key-file", directory]), fails: "error: the key file '\(directory)' is a directory\n",
            exitCode: 64)
        let missing = folder.directory.path("missing")
        expect(
            try await query(["--key-file", missing]),
            fails: "error: cannot open the key file '\(missing)': No such file or directory\n", exitCode: 66)
        let endless = try await query(["--key-file", "/dev/zero"])
        expect(endless, fails: "error: the key file '/dev/zero' has more than 1048576 bytes\n", exitCode: 64)
        let short = try folder.keyFile("short", Array("5a5a".utf8))
        expect(
            try await query(["--key-file", short, "--raw-key"]),
            fails: "error: a raw key has 64 or 96 hexadecimal digits\n", exitCode: 64)
        let literal = try folder.keyFile("literal", Array("x'\(EncryptedFolder.digits)'".utf8))
        expect(
            try await query(["--key-file", literal]),
            fails: """
                error: \(path): the library would read this passphrase as a raw key (SQLITE_MISUSE)
                hint: --raw-key takes the digits alone

                """, exitCode: 64)
    }

    @Test func aKeyFileThatOthersCanReadIsUsedWithAWarning() async throws {
        _ = try folder.database(EncryptedFolder.encryption)
        let file = folder.key[1]
        chmod(file, 0o644)
        expect(
            try await folder.run(["query", path] + sql + folder.key), prints: "n\n100\n",
            fails: "warning: others can read the key file '\(file)': chmod 600 it\n")
    }

    @Test(arguments: [
        ["--cipher-page-size", "5000"], ["--kdf-iterations", "0"], ["--plaintext-header-salt", "00ff"],
        ["--cipher-compatibility", "2"],
    ]) func parametersThatNoFileHasAreRefused(_ options: [String]) async throws {
        let outcome = try await folder.run(["tables", path] + folder.key + options)
        #expect(outcome.exitCode == 64 && outcome.output == "" && outcome.error.contains("Usage: squall tables"))
    }

    #if os(Linux)
        /// The system shows the arguments and the environment of a process to others of the same user.
        @Test func theRunningToolDoesNotShowTheKey() async throws {
            _ = try folder.database(passphrase(Array("secret-of-the-file".utf8)))
            let process = Tool.process(
                Tool.executable, ["watch", path, "--kdf-iterations", "10"] + sql, ["SQUALL_KEY": "secret-of-the-file"])
            let output = Pipe()
            (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
            let (ends, end) = AsyncStream.makeStream(of: Int32.self)
            process.terminationHandler = { end.yield($0.terminationStatus) }
            try Tool.start(process)
            // With its first rows, the tool has opened the file.
            let answer = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: try? output.fileHandleForReading.read(upToCount: 2))
                }
            }
            #expect(answer == Data("n\n".utf8))
            for name in ["cmdline", "environ"] {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process.processIdentifier)/\(name)"))
                #expect(!bytes.isEmpty && bytes.range(of: Data("secret-of".utf8)) == nil)
            }
            process.terminate()
            #expect(await ends.first { _ in true } == SIGTERM)
        }
    #endif
}

/// The tool on an SQLite without a cipher.
@Suite(.enabled(if: !EncryptedFolder.hasCipher)) struct EncryptionMissingTests {
    private let folder: EncryptedFolder

    init() throws {
        folder = try EncryptedFolder()
    }

    private let hint =
        "hint: this squall runs on an SQLite without a cipher; SQLCipher and SQLite3 Multiple Ciphers have one\n"

    @Test func aKeyIsNotIgnored() async throws {
        let path = try folder.database()
        let message = "a key is given, and this SQLite (\(SQLiteLibrary.version)) has no cipher (SQLITE_ERROR)\n"
        expect(try await folder.run("tables", path), fails: "error: \(path): \(message)\(hint)", exitCode: 64)
        for verb in ["encrypt", "decrypt", "rekey"] {
            let outcome = try await folder.run(verb, path)
            #expect(outcome.exitCode == 64 && outcome.error.hasSuffix(message + hint), "\(outcome)")
        }
    }

    @Test func aFileThatSeemsToBeEncryptedIsNamed() async throws {
        var generator = SeededGenerator(seed: 1)
        let bytes = (0..<8_192).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let path = try folder.keyFile("sealed.db", bytes)
        expect(
            try await folder.run(["tables", path]),
            fails: "error: \(path): the file seems to be encrypted (SQLITE_NOTADB)\n\(hint)", exitCode: 65)
        let doctor = try await folder.run(["doctor", path, "--format", "csv"])
        #expect(doctor.exitCode == 1 && doctor.output.contains("problem,encryption,,"))
    }
}
