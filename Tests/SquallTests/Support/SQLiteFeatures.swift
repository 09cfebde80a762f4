import Squall
import SquallSQLite

/// The features of the SQLite library that runs the tests, as its compile options report them. A test that needs one is enabled by it:
/// `@Test(.enabled(if: SQLiteFeatures.fullTextSearch))`.
enum SQLiteFeatures {
    /// The version of the library: 3040001 for 3.40.1.
    static let version = Int(sqlite3_libversion_number())

    /// Whether the marks of `highlight` that touch each other are one.
    static let joinsMarks = version >= 3_046_000
    /// Whether a schema that is not trusted cannot call functions that are not deterministic in CHECK constraints.
    static let refusesFunctionsInChecks = version >= 3_053_000

    static let fullTextSearch = SQLiteLibrary.has("ENABLE_FTS5")
    static let spatialTables = SQLiteLibrary.has("ENABLE_RTREE")
    static let preUpdateHook = SQLiteLibrary.has("ENABLE_PREUPDATE_HOOK")
    static let sessions = SQLiteLibrary.has("ENABLE_SESSION") && preUpdateHook
    static let extensionLoading = !SQLiteLibrary.has("OMIT_LOAD_EXTENSION")
}
