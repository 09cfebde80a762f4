import Squall

/// Records that are read once, by their key. A key without a record is looked up each time.
final class RecordCache<Record: TableRecord> where Record.DeclaredTable.Key: StatementParameter & Hashable {
    typealias Key = Record.DeclaredTable.Key

    private let connection: Connection
    private var records: [Key: Record] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    func record(_ key: Key) throws -> Record? {
        if let record = records[key] { return record }
        let record = try connection.find(Record.self, key)
        records[key] = record
        return record
    }
}
