#if os(Linux) || os(macOS)
    import Foundation
    import SquallTestSupport

    /// Compiles extensions of SQLite from C, into a directory of its own.
    struct ExtensionCompiler {
        let directory: TemporaryDirectory

        init() throws {
            directory = try TemporaryDirectory()
        }

        static let isThere =
            (try? TestProcess(path: "/usr/bin/env", ["cc", "--version"], withErrors: true).end().code) == 0

        /// The library of sqlite-vec, which the environment names: `SQUALL_VEC0=…/vec0.so`.
        static let vectorLibrary = ProcessInfo.processInfo.environment["SQUALL_VEC0"].flatMap {
            FileManager.default.fileExists(atPath: $0) ? $0 : nil
        }

        static var suffix: String {
            #if os(Linux)
                ".so"
            #else
                ".dylib"
            #endif
        }

        /// Returns the path of a library with this name.
        func library(_ name: String, _ source: String) throws -> String {
            let (input, output) = (directory.file(name + ".c"), directory.file(name + Self.suffix))
            try source.write(toFile: input, atomically: true, encoding: .utf8)
            let result = try TestProcess(
                path: "/usr/bin/env", ["cc", "-shared", "-fPIC", "-o", output, input], withErrors: true
            ).end()
            guard result.code == 0 else { throw Failure(output: result.output) }
            return output
        }

        struct Failure: Error {
            let output: String
        }

        private static let beginning = """
            #include <sqlite3ext.h>
            SQLITE_EXTENSION_INIT1
            static void half(sqlite3_context *context, int count, sqlite3_value **values) {
                sqlite3_result_double(context, sqlite3_value_double(values[0]) / 2);
            }

            """

        /// It adds the function `half`.
        static let half =
            beginning + """
                int sqlite3_half_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
                    SQLITE_EXTENSION_INIT2(api);
                    return sqlite3_create_function(db, "half", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, half, 0, 0);
                }
                """

        /// It adds the function `half`, and fails.
        static let failing =
            beginning + """
                int sqlite3_failing_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
                    SQLITE_EXTENSION_INIT2(api);
                    sqlite3_create_function(db, "half", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, half, 0, 0);
                    *message = sqlite3_mprintf("no licence");
                    return SQLITE_ERROR;
                }
                """

        /// It calls SQL's `load_extension`, and fails with its message.
        static let nested =
            beginning + """
                int sqlite3_nested_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
                    SQLITE_EXTENSION_INIT2(api);
                    return sqlite3_exec(db, "SELECT load_extension('half')", 0, 0, message);
                }
                """
    }
#endif
