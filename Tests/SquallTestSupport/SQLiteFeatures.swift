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

    package static let fullTextSearch = has("ENABLE_FTS5")
    package static let spatialTables = has("ENABLE_RTREE")
    package static let preUpdateHook = has("ENABLE_PREUPDATE_HOOK")
    package static let sessions = has("ENABLE_SESSION") && preUpdateHook
    package static let extensionLoading = !has("OMIT_LOAD_EXTENSION")
    package static let serialization = !has("OMIT_DESERIALIZE")
    package static let mathFunctions = has("ENABLE_MATH_FUNCTIONS")

    /// Whether the library has an option: `ENABLE_FTS5`, `THREADSAFE=2`.
    package static func has(_ option: String) -> Bool { sqlite3_compileoption_used(option) != 0 }
}
