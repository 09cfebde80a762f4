/// Runs SQL, or a closure with the connection, in the transaction of the version.
///
///     Execute("UPDATE contacts SET name = trim(name)")
///     Execute { try $0.delete(from: "contacts", where: "name IS NULL") }
///
/// In a version that rebuilds or drops a table, foreign keys are off while it runs: deleting a row does not delete those that
/// refer to it, and the version throws when there are any. A closure is not part of the checksum of its version.
public struct Execute: SchemaStep, ActionStep {
    let action: SchemaAction

    /// A script.
    public init(_ sql: SQL) {
        action = .sql(sql)
    }

    public init(_ body: @escaping @Sendable (Connection) throws -> Void) {
        action = .closure(body)
    }
}
