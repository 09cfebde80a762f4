/// The rows that were copied between a file and a cluster, and verified.
public struct TransferReport: Hashable, Sendable {
    /// The number of rows of each table.
    public let rows: [String: Int]

    public init(rows: [String: Int]) {
        self.rows = rows
    }

    /// The number of rows of all tables.
    public var rowCount: Int { rows.values.reduce(0, +) }
}
