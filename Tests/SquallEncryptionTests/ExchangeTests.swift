import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// Files that Squall makes are used by other programs, and the reverse: the shell of SQLCipher, and Python's sqlcipher3. `make test-sqlcipher`
/// installs them.
@Suite(.enabled(if: EncryptedFolder.hasCipher), .timeLimit(.minutes(1))) struct ExchangeTests {
    private let folder: EncryptedFolder

    init() throws {
        folder = try EncryptedFolder()
    }

    /// A program that runs SQL which it reads, and prints rows.
    enum Program: String, CaseIterable {
        case shell, python

        var formats: [Int] { self == .shell ? (isVersion3 ? [3] : [3, 4]) : [3, 4] }

        private var isVersion3: Bool { (try? run(["PRAGMA cipher_version"], on: ":memory:").first == "3.4.1") == true }

        var isInstalled: Bool { (try? run(["SELECT 'x' || 'y'"], on: ":memory:").last) == "xy" }

        /// Returns the lines that the program prints.
        func run(_ sql: [String], on path: String) throws -> [String] {
            let process = Process()
            var environment = ProcessInfo.processInfo.environment
            // The program has its own library.
            environment["LD_LIBRARY_PATH"] = nil
            environment["PYTHONPATH"] = environment["SQUALL_SQLCIPHER3"]
            process.environment = environment
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = self == .shell ? ["sqlcipher", "-batch", path] : ["python3", "-c", Self.script, path]
            let (input, output) = (Pipe(), Pipe())
            (process.standardInput, process.standardOutput) = (input, output)
            process.standardError = FileHandle.nullDevice
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data(sql.map { "\($0);\n" }.joined().utf8))
            try input.fileHandleForWriting.close()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return text.split(separator: "\n").map { String($0) }
        }

        private static let script = """
            import sys, sqlcipher3
            connection = sqlcipher3.connect(sys.argv[1], isolation_level=None)
            for line in sys.stdin:
                for row in connection.execute(line):
                    print(*row, sep='|')
            """
    }

    struct Exchange: CustomTestStringConvertible {
        let program: Program
        let format: Int
        let isRaw: Bool

        var testDescription: String { "\(program), SQLCipher \(format), \(isRaw ? "raw key" : "passphrase")" }

        /// The statements by which the program has the key.
        var key: [String] {
            let key = isRaw ? "\"x'\(String(repeating: "07", count: 32))'\"" : "'it''s a secret ä'"
            // The shell of version 3 has no other format.
            return ["PRAGMA key = \(key)"]
                + (program == .shell && format == 3 ? [] : ["PRAGMA cipher_compatibility = \(format)"])
        }

        var configuration: Configuration {
            var encryption =
                isRaw ? Encryption.rawKey([UInt8](repeating: 7, count: 32)) : .passphrase { "it's a secret ä" }
            encryption.parameters.compatibility = format == 3 ? .sqlCipher3 : .sqlCipher4
            var configuration = EncryptedFolder.configuration(encryption)
            configuration.journalMode = .delete
            return configuration
        }
    }

    static let exchanges: [Exchange] = Program.allCases.filter(\.isInstalled).flatMap { program in
        program.formats.flatMap { format in
            [true, false].map { Exchange(program: program, format: format, isRaw: $0) }
        }
    }

    @Test func theProgramsAreInstalled() {
        for program in Program.allCases where !program.isInstalled {
            print("WARNING: no files are exchanged with \(program): it is not installed")
        }
    }

    private static let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
    private static let summary = "SELECT count(*) || ' ' || sum(length(text)) || ' ' || max(text) FROM notes"

    @Test(arguments: exchanges) func aFileOfSquallIsUsedByAProgram(_ exchange: Exchange) throws {
        let connection = try Connection(folder.file(), configuration: exchange.configuration)
        try connection.execute(
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT);
            \(raw: Self.rows) INSERT INTO notes(text) SELECT printf('%0300d ä', i) FROM n
            """)
        let before: String = try connection.query(SQL(raw: Self.summary))
        connection.close()
        let lines = try exchange.program.run(
            exchange.key + [Self.summary, "INSERT INTO notes(text) VALUES('theirs')", "PRAGMA integrity_check"],
            on: folder.file())
        #expect(lines.suffix(2) == [before, "ok"])
        #expect(try folder.notes(exchange.configuration).last == "theirs")
        #expect(try folder.filesInClear() == [])
    }

    @Test(arguments: exchanges) func aFileOfAProgramIsUsedBySquall(_ exchange: Exchange) throws {
        let made = try exchange.program.run(
            exchange.key + [
                "CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT)",
                "\(Self.rows) INSERT INTO notes(text) SELECT printf('%0300d ä', i) FROM n", Self.summary,
            ], on: folder.file())
        let connection = try Connection(folder.file(), mode: .existing, configuration: exchange.configuration)
        #expect(try connection.query(SQL(raw: Self.summary)) == made.last)
        #expect(try connection.query("PRAGMA integrity_check") == "ok")
        try connection.run("INSERT INTO notes(text) VALUES('ours')")
        connection.close()
        let last = try exchange.program.run(
            exchange.key + ["SELECT text FROM notes ORDER BY id DESC LIMIT 1"], on: folder.file())
        #expect(last.last == "ours")
    }
}
