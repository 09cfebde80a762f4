/// A trigger of a table or a view.
public struct TriggerDefinition: Hashable, Codable, Sendable {
    public var name: String
    /// The table or the view whose changes it follows.
    public var table: String
    /// `CREATE TRIGGER …`
    public var sql: SQL

    public init(name: String, table: String, sql: SQL) {
        self.name = name
        self.table = table
        self.sql = sql
    }
}
