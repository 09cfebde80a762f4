import Squall
import SquallSQLite

/// The features of the SQLite library that runs the tests, as its compile options report them. A test that needs one is enabled by it:
/// `@Test(.enabled(if: SQLiteFeatures.fullTextSearch))`.
package enum SQLiteFeatures {
    /// The version of the library: 3040001 for 3.40.1.
    package static let version = Int(sqlite3_libversion_number())

    /// Whether the marks of `highlight` that touch each other are one.
    package static let joinsMarks = version >= 3_046_000
    /// Whether a schema that is not trusted cannot call functions that are not deterministic in CHECK constraints.
    package static let refusesFunctionsInChecks = version >= 3_053_000

    package static let fullTextSearch = SQLiteLibrary.has("ENABLE_FTS5")
    package static let spatialTables = SQLiteLibrary.has("ENABLE_RTREE")
    package static let preUpdateHook = SQLiteLibrary.has("ENABLE_PREUPDATE_HOOK")
    package static let sessions = SQLiteLibrary.has("ENABLE_SESSION") && preUpdateHook
    package static let extensionLoading = !SQLiteLibrary.has("OMIT_LOAD_EXTENSION")
}
