import Squall

/// A document: what a list of documents shows. Its bytes are in the column `body`, which no record reads.
struct Document: TableRecord {
    let id: Int64?
    let name: String
    let size: Int
    /// Whether all bytes have arrived.
    let isComplete: Bool

    static let table = Table("documents", Document.init) {
        Column("id", \Document.id, .primaryKey)
        Column("name", \Document.name, .unique)
        Column("size", \Document.size)
        Column("is_complete", \Document.isComplete)
    }
}
