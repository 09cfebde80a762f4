import Foundation
import Squall
import SquallEncryption
import Testing

/// `encrypt`, `decrypt` and `rekey`, with an SQLite that has a cipher.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct EncryptionVerbTests {
    private let folder: EncryptedFolder
    private var directory: TemporaryDirectory { folder.directory }

    init() throws {
        folder = try EncryptedFolder()
    }

    private func expectSuccess(
        _ outcome: Outcome, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.error == "" && outcome.exitCode == 0, "\(outcome)", sourceLocation: sourceLocation)
        let line = outcome.output.replacing(/[0-9]+\.[0-9]{2} s/, with: "0.00 s")
        #expect(line == text + "\n", sourceLocation: sourceLocation)
    }

    @Test(arguments: ["WAL", "DELETE"]) func aFileIsEncryptedAndDecryptedInPlace(mode: String) async throws {
        let path = try folder.database(mode: mode)
        chmod(path, 0o640)
        expectSuccess(try await folder.run("encrypt", path), "\(path): encrypted in 0.00 s, checked")
        #expect(try folder.filesInClear() == [])
        #expect(try directory.files() == ["app.db", "key"])
        #expect(try folder.content(EncryptedFolder.encryption) == "ok \(mode.lowercased()) 100")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)

        expectSuccess(try await folder.run("decrypt", path), "\(path): decrypted in 0.00 s, checked")
        #expect(try folder.content(nil) == "ok \(mode.lowercased()) 100")
    }

    @Test func theLogOfACrashIsEncryptedToo() async throws {
        let connection = try Connection(directory.path("live.db"))
        try connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT)")
        try connection.run("INSERT INTO notes(text) VALUES(\(EncryptedFolder.needle))")
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: directory.path("live.db" + end), toPath: directory.path("app.db" + end))
        }
        connection.close()
        try FileManager.default.removeItem(atPath: directory.path("live.db"))
        #expect(try directory.bytes("app.db-wal").count > 0)
        expectSuccess(
            try await folder.run("encrypt", directory.path("app.db"), "--no-verify"),
            "\(directory.path("app.db")): encrypted in 0.00 s")
        #expect(try directory.files() == ["app.db", "key"])
        #expect(try folder.filesInClear() == [])
        #expect(try folder.content(EncryptedFolder.encryption) == "ok wal 1")
    }

    @Test func aNewFileIsWrittenAndTheOldOneStays() async throws {
        let path = try folder.database()
        let (bytes, output) = (try directory.bytes("app.db"), directory.path("sealed.db"))
        expectSuccess(
            try await folder.run("encrypt", path, "--output", output), "\(output): encrypted in 0.00 s, checked")
        #expect(try directory.bytes("app.db") == bytes)
        #expect(try folder.content(EncryptedFolder.encryption, of: "sealed.db") == "ok delete 100")
        expect(
            try await folder.run("encrypt", path, "--output", output),
            fails: "error: '\(output)' already exists\nhint: --force replaces it\n", exitCode: 73)
        expectSuccess(
            try await folder.run("encrypt", path, "--output", output, "--force"),
            "\(output): encrypted in 0.00 s, checked")
        expect(try await folder.run("diff", path, output, "--data"))
        expect(try await folder.run("diff", output, path, "--data"))
    }

    @Test(arguments: ["WAL", "DELETE"]) func aFileThatAnotherProcessUsesStaysAsItIs(mode: String) async throws {
        let path = try folder.database(mode: mode)
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        let count: Int = try connection.query("SELECT count(*) FROM notes")
        #expect(count == 100)
        // In the mode DELETE, SQLite itself would know of the transaction only.
        if mode == "DELETE" { try connection.execute("BEGIN IMMEDIATE") }
        expect(
            try await folder.run("encrypt", path, "--timeout", "0"),
            fails: """
                error: \(path): another process uses the database
                hint: end the programs that have it open, or write a new file with --output

                """, exitCode: 75)
        connection.close()
        #expect(try folder.content(nil) == "ok \(mode.lowercased()) 100")
        #expect(try directory.files() == ["app.db", "key"])
    }

    @Test func aFileWithTwoNamesIsNotReplaced() async throws {
        let path = try folder.database()
        try FileManager.default.linkItem(atPath: path, toPath: directory.path("other.db"))
        expect(
            try await folder.run("encrypt", path),
            fails: """
                error: \(path): the file has 2 names, and only one would be that of the new file
                hint: write a new file with --output

                """, exitCode: 73)
    }

    @Test func whatIsEncryptedOrIsNotIsLeftAlone() async throws {
        let sealed = try folder.database(EncryptedFolder.encryption)
        expect(
            try await folder.run("encrypt", sealed),
            fails: """
                error: \(sealed): the file seems to be encrypted already
                hint: 'squall rekey' changes the key

                """, exitCode: 65)
        let plain = try folder.database(name: "plain.db")
        for verb in ["decrypt", "rekey"] {
            expect(
                try await folder.run([verb, plain]), fails: "error: \(plain): the file is not encrypted\n", exitCode: 65
            )
            expect(
                try await folder.run(verb, plain),
                fails: """
                    error: \(plain): the file is not encrypted, and a key is given (SQLITE_NOTADB)
                    hint: leave out --key-file and the variable SQUALL_KEY

                    """, exitCode: 65)
        }
    }

    @Test(arguments: ["WAL", "DELETE"]) func theKeyIsChanged(mode: String) async throws {
        let path = try folder.database(EncryptedFolder.encryption, mode: mode)
        let new = try folder.keyFile("new", Array(String(repeating: "77", count: 32).utf8))
        expectSuccess(
            try await folder.run("rekey", path, "--new-key-file", new, "--new-raw-key"),
            "\(path): the key is changed in 0.00 s")
        #expect(
            try folder.content(.rawKey([UInt8](repeating: 0x77, count: 32))) == "ok \(mode.lowercased()) 100")
        #expect(try await folder.run("tables", path).exitCode == 65)
        expect(
            try await folder.run(
                ["rekey", path, "--raw-key"], environment: ["SQUALL_KEY": String(repeating: "77", count: 32)]),
            fails: """
                error: \(path): no key is given
                hint: --new-key-file or the variable SQUALL_NEW_KEY gives it; on a terminal, it is asked for

                """, exitCode: 64)
        #expect(try folder.filesInClear() == [])
    }

    @Test func parametersAreThoseOfTheOptions() async throws {
        let path = try folder.database()
        let output = directory.path("sealed.db")
        let salt = "000102030405060708090a0b0c0d0e0f"
        let options = [
            "--key-file", try folder.keyFile("passphrase", Array("a passphrase".utf8)), "--cipher-page-size", "8192",
            "--kdf-iterations", "10", "--plaintext-header-salt", salt, "--cipher-compatibility", "4",
        ]
        #expect(try await folder.run(["encrypt", path, "--output", output] + options).exitCode == 0)
        let doctor = try await folder.run(["doctor", output] + options)
        #expect(
            doctor.output.contains(
                "compatibility 4, pages of 8192 bytes, 10 iterations, a header of 32 bytes in clear\n"),
            "\(doctor)")
        expect(
            try await folder.run(["tables", output]),
            fails: """
                error: \(output): the file seems to be encrypted, and no key is given
                hint: --key-file or the variable SQUALL_KEY gives it; on a terminal, it is asked for

                """, exitCode: 64)
        #expect(try await folder.run(["decrypt", output] + options).exitCode == 0)
        #expect(try folder.content(nil, of: "sealed.db") == "ok delete 100")
    }

    @Test func otherVerbsUseTheKey() async throws {
        let path = try folder.database(EncryptedFolder.encryption, mode: "WAL")
        let (copy, small) = (directory.path("copy.db"), directory.path("small.db"))
        #expect(try await folder.run("backup", path, copy).exitCode == 0)
        #expect(try await folder.run("backup", path, copy, "--force").exitCode == 0)
        #expect(try await folder.run("backup", path, small, "--vacuum").exitCode == 0)
        expect(try await folder.run("diff", path, copy, "--data"))
        let restored = directory.path("restored.db")
        #expect(try await folder.run("restore", copy, restored).exitCode == 0)
        #expect(try await folder.run("restore", small, restored, "--force").exitCode == 0)
        let rows = try directory.file("rows.csv", "a,b\n1,2\n")
        let imported = directory.path("imported.db")
        expect(try await folder.run("import", imported, rows), prints: "1 row into rows\n")
        let watch = try await folder.run(
            "watch", path, "SELECT count(*) AS n FROM notes", "--count", "1", "--format", "csv")
        expect(watch, prints: "n\n100\n")
        for verb in ["tables", "schema", "describe", "check"] {
            let outcome = try await folder.run(verb, copy)
            #expect(outcome.exitCode == 0 && outcome.error == "", "\(verb): \(outcome)")
        }
        #expect(try folder.filesInClear() == [])
        expect(
            try await folder.run("query", restored, "SELECT count(*) AS n FROM notes", "--format", "csv"),
            prints: "n\n100\n")
    }

    @Test func aBackupDoesNotReplaceAFileWithAnotherKey() async throws {
        let path = try folder.database(EncryptedFolder.encryption)
        let other = try folder.database(.rawKey([UInt8](repeating: 1, count: 32)), name: "other.db")
        let bytes = try directory.bytes("other.db")
        #expect(try await folder.run("backup", path, other, "--force").exitCode == 65)
        #expect(try await folder.run("restore", path, other, "--force").exitCode == 65)
        #expect(try directory.bytes("other.db") == bytes)
    }

    #if os(Linux)
        @Test func workIsDoneAlsoWhereItsLineCannotBePrinted() async throws {
            let path = try folder.database()
            for verb in [["encrypt"], ["rekey", "--new-raw-key", "--new-key-file", folder.key[1]], ["decrypt"]] {
                let outcome = try await Tool.shell("\"$SQUALL\" \"$@\" > /dev/full", verb + [path] + folder.key)
                #expect(outcome.exitCode == 74, "\(verb): \(outcome)")
            }
            #expect(try folder.content(nil) == "ok delete 100")
        }
    #endif

    @Test func theDoctorTellsWhetherAFileIsEncrypted() async throws {
        let path = try folder.database(EncryptedFolder.encryption)
        let without = try await folder.run(["doctor", path])
        expect(
            without,
            prints: """
                problem  encryption: the file seems to be encrypted; nothing else can be examined without its key
                         cure: give its key by --key-file or the variable SQUALL_KEY; on a terminal, it is asked for
                1 problem

                """, exitCode: 1)
        let doctor = try await folder.run("doctor", path)
        let cipher = try #require(SQLiteLibrary.cipher)
        #expect(
            doctor.output.contains("ok       encryption: encrypted, by \(cipher.name) \(cipher.version): "), "\(doctor)"
        )
        #expect(doctor.output.contains(", pages of 4096 bytes, a raw key, no header in clear\n"))
        let plain = try folder.database(name: "plain.db")
        #expect(
            try await folder.run(["doctor", plain]).output.contains("ok       encryption: the file is not encrypted\n"))
    }
}
