/// A view.
public struct ViewDefinition: Hashable, Codable, Sendable {
    public var name: String
    /// `CREATE VIEW …`
    public var sql: SQL
    public var triggers: [TriggerDefinition]

    public init(name: String, sql: SQL, triggers: [TriggerDefinition] = []) {
        self.name = name
        self.sql = sql
        self.triggers = triggers
    }
}
