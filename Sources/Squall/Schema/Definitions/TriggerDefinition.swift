/// A trigger of a table or a view.
public struct TriggerDefinition: Hashable, Codable, Sendable {
    public var name: String
    /// The table or view whose changes fire the trigger.
    public var table: String
    /// `CREATE TRIGGER …`
    public var sql: SQL

    public init(name: String, table: String, sql: SQL) {
        self.name = name
        self.table = table
        self.sql = sql
    }
}
