/// Returns the value of OpenTelemetry's `db.namespace` for a database: the name of its file.
///
/// - Parameter path: The path of the file; empty for a database in memory.
package func namespace(ofFile path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ":memory:"
}
