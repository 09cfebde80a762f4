import ArgumentParser
import Foundation
import Squall
import Testing

@testable import SquallTool

#if os(Linux)
    /// Standard output on a full disk.
    @Suite struct FullOutputTests {
        /// The arguments of each verb, in a folder with the files that they name.
        private static let verbs: [String: [String]] = [
            "query": ["a.db", "SELECT 1"], "shell": ["a.db"], "watch": ["a.db", "SELECT 1", "--count", "1"],
            "tables": ["a.db"], "schema": ["a.db"], "describe": ["a.db"], "search": ["a.db", "t", "x"],
            "plan": ["a.db", "SELECT * FROM t"], "import": ["a.db", "t.csv"], "export": ["a.db", "t"],
            "diff": ["a.db", "b.db"], "generate": ["a.db"], "backup": ["a.db", "copy.db"],
            "restore": ["a.db", "new.db"], "check": ["a.db"], "doctor": ["a.db"], "size": ["a.db"],
            "demo": ["--data", "cars.csv"],
            "migrate new": ["Migrations", "more"], "migrate status": ["a.db", "Migrations"],
            "migrate up": ["m.db", "Migrations"], "migrate verify": ["empty.db", "Migrations"],
            "sql generate": ["SQL", "--out", "Swift"], "sql check": ["SQL"], "sql plans": ["SQL"],
        ]

        /// Verbs that need an SQLite with a cipher. `EncryptionVerbTests` runs them.
        private static let verbsOfCiphers: Set = ["encrypt", "decrypt", "rekey"]

        /// The names of all verbs, which have no verbs below them.
        static func leaves(of command: any ParsableCommand.Type, _ path: [String] = []) -> [[String]] {
            let commands = command.configuration.subcommands
            return commands.isEmpty ? [path] : commands.flatMap { leaves(of: $0, path + [$0._commandName]) }
        }

        @Test func everyVerbNoticesIt() async throws {
            let folder = try SQLFolder()
            let directory = folder.directory
            _ = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES('x')", name: "a.db")
            _ = try directory.database("CREATE TABLE t(a, b)", name: "b.db")
            _ = try directory.database("CREATE TABLE other(a)", name: "empty.db")
            let cars =
                URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/")
                + "/Examples/Data/cars.csv"
            try FileManager.default.copyItem(atPath: cars, toPath: directory.path("cars.csv"))
            _ = try directory.file("t.csv", "a\n1\n")
            try FileManager.default.createDirectory(
                atPath: directory.path("Migrations"), withIntermediateDirectories: true)
            _ = try directory.file("Migrations/001_t.sql", "CREATE TABLE u(a);\n")
            let all = Self.leaves(of: SquallCommand.self)
            #expect(Set(all.map { $0.joined(separator: " ") }) == Set(Self.verbs.keys).union(Self.verbsOfCiphers))
            for path in all {
                let name = path.joined(separator: " ")
                var lines = [path + ["--help"]]
                if !Self.verbsOfCiphers.contains(name) { lines.append(path + (try #require(Self.verbs[name]))) }
                for line in lines {
                    let outcome = try await Tool.shell(
                        "cd \"$1\" && shift && echo 'SELECT 1;' | \"$SQUALL\" \"$@\" > /dev/full",
                        [directory.url.path] + line)
                    #expect(outcome.exitCode == 74, "\(line): \(outcome)")
                    #expect(
                        outcome.error.contains("error: cannot write to standard output: No space left on device\n"),
                        "\(line): \(outcome)")
                }
            }
            // What was committed before is there.
            #expect(try directory.literals("SELECT count(*) FROM t", in: "a.db") == ["2"])
        }
    }
#endif
