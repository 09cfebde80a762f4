/// The target of a foreign key: `REFERENCES "authors"("id") ON DELETE CASCADE`.
public struct ForeignKeyReference: Hashable, Codable, Sendable {
    public var table: String
    /// The referenced columns; empty for the primary key of the table.
    public var columns: [String]
    public var onDelete: Action?
    public var onUpdate: Action?
    public var deferral: Deferral?

    public init(
        table: String, columns: [String] = [], onDelete: Action? = nil, onUpdate: Action? = nil,
        deferral: Deferral? = nil
    ) {
        self.table = table
        self.columns = columns
        self.onDelete = onDelete
        self.onUpdate = onUpdate
        self.deferral = deferral
    }

    /// The action for the referencing rows when the referenced row is deleted or its key changes.
    public enum Action: String, Hashable, Codable, Sendable {
        case noAction = "NO ACTION"
        case restrict = "RESTRICT"
        case setNull = "SET NULL"
        case setDefault = "SET DEFAULT"
        case cascade = "CASCADE"
    }

    /// When SQLite checks the key.
    public enum Deferral: String, Hashable, Codable, Sendable {
        case notDeferrable = "NOT DEFERRABLE"
        case initiallyImmediate = "DEFERRABLE INITIALLY IMMEDIATE"
        /// Checked when the transaction commits.
        case initiallyDeferred = "DEFERRABLE INITIALLY DEFERRED"
    }

    var sql: SQL {
        var parts: [SQL] = ["REFERENCES \(name: table)" + (columns.isEmpty ? "" : "(\(names: columns))")]
        if let onDelete { parts.append(SQL(raw: "ON DELETE \(onDelete.rawValue)")) }
        if let onUpdate { parts.append(SQL(raw: "ON UPDATE \(onUpdate.rawValue)")) }
        if let deferral { parts.append(SQL(raw: deferral.rawValue)) }
        return parts.joined(separator: " ")
    }
}
