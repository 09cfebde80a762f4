#if os(Linux)
    import Foundation
    import Squall
    import Testing

    @testable import SquallSQLFiles

    /// Extensions that the settings name.
    struct NamedExtensionTests {
        private static let source = """
            #include <sqlite3ext.h>
            SQLITE_EXTENSION_INIT1
            static void twice(sqlite3_context *context, int count, sqlite3_value **values) {
              sqlite3_result_int64(context, 2 * sqlite3_value_int64(values[0]));
            }
            int sqlite3_twice_init(sqlite3 *handle, char **message, const sqlite3_api_routines *routines) {
              SQLITE_EXTENSION_INIT2(routines);
              return sqlite3_create_function(handle, "twice", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, twice, 0, 0);
            }
            """

        /// Runs the C compiler, and returns whether it succeeded.
        private static func compile(_ arguments: [String]) -> Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["cc"] + arguments
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        private static let isPossible =
            FileManager.default.fileExists(atPath: "/usr/include/sqlite3ext.h") && compile(["--version"])

        @Test(.enabled(if: !SQLiteLibrary.has("OMIT_LOAD_EXTENSION")), .enabled(if: isPossible))
        func theSchemaAndTheQueriesUseTheFunctionsOfAnExtension() throws {
            let folder = SampleFolder([
                "squall.json": #"{ "extensions": ["library/twice"] }"#,
                "library/twice.c": Self.source,
                "schema/1.sql": "CREATE TABLE a (x INT, y INT AS (twice(x)) STORED); INSERT INTO a VALUES (2);",
                "q.sql": "-- name: q\n-- z: Int!\nSELECT twice(x) AS z FROM a",
            ])
            try folder.withFolder { path in
                let arguments = ["-shared", "-fPIC", "-o", "\(path)/library/twice.so", "\(path)/library/twice.c"]
                try #require(Self.compile(arguments))
                #expect(try CheckedFiles(folder: path).queries.map(\.declaration.name) == ["q"])
            }
        }
    }
#endif
