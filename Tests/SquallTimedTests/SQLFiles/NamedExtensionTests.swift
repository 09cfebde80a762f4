#if os(Linux)
    import Foundation
    import SquallTestSupport
    import Testing

    @testable import SquallSQLFiles

    /// Extensions that the settings of a folder of SQL files name.
    @Suite(.timeLimit(.minutes(10)))
    struct NamedExtensionTests {
        private static let isPossible =
            SQLiteFeatures.extensionLoading && ExtensionCompiler.isThere
            && FileManager.default.fileExists(atPath: "/usr/include/sqlite3ext.h")

        @Test(.enabled(if: isPossible)) func theSchemaAndTheQueriesUseTheFunctionsOfAnExtension() throws {
            let compiler = try ExtensionCompiler()
            let files = [
                "squall.json": #"{ "extensions": ["half"] }"#,
                "schema/1.sql": "CREATE TABLE a (x INT, y INT AS (half(x)) STORED); INSERT INTO a VALUES (2);",
                "q.sql": "-- name: q\n-- z: Double!\nSELECT half(x) AS z FROM a",
            ]
            _ = try compiler.library("half", ExtensionCompiler.half)
            for (name, text) in files {
                let file = URL(fileURLWithPath: compiler.directory.file(name))
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            #expect(try CheckedFiles(folder: compiler.directory.path).queries.map(\.declaration.name) == ["q"])
        }
    }
#endif
