/// Runs SQL or a closure in the transaction of the version.
///
///     Execute("UPDATE contacts SET name = trim(name)")
///     Execute { try $0.delete(from: "contacts", where: "name IS NULL") }
///
/// Foreign keys are off in a version that rebuilds a table or drops one, also by the SQL of this step. Deleting a row then
/// does not cascade, and the version throws if rows still refer to it. A closure is not part of its version's checksum.
public struct Execute: SchemaStep, ActionStep {
    let action: SchemaAction

    /// Runs a script of any number of statements.
    public init(_ sql: SQL) {
        action = .sql(sql)
    }

    public init(_ body: @escaping @Sendable (Connection) throws -> Void) {
        action = .closure(body)
    }
}
