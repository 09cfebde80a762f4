import SquallSQLite

/// The tables of records of a connection, by their names.
final class RecordTables {
    var rows: [Identifier: any AnyRecordRows] = [:]
}

protocol AnyRecordRows: AnyObject {
    var isInUse: Bool { get }
    /// The number of the module that has been registered for the records.
    var moduleNumber: Int? { get }
}

/// The records that a table of a connection stands for, while ``Connection/withTable(_:_:_:)`` runs.
@usableFromInline
final class RecordRows<Record>: AnyRecordRows {
    let core: TableCore<Record>
    var moduleNumber: Int?
    private var name = ""
    private var records: [Record]?

    init(_ core: TableCore<Record>) {
        self.core = core
    }

    var isInUse: Bool { records != nil }

    var count: Int { records?.count ?? 0 }

    @usableFromInline
    func begin(_ new: [Record], named name: String) {
        self.name = name
        records = new
    }

    @usableFromInline
    func end() { records = nil }

    /// Returns a reader of the records, where they are. Inlined where their type is known: unspecialised code looks it up for each row.
    @inlinable
    func reader() -> RowReader {
        let scan = RecordScan<Record>()
        return RowReader(begin: { _ in scan.begin(try self.current()) }, next: { scan.advance() })
    }

    @usableFromInline
    func current() throws -> [Record] {
        if let records { return records }
        throw SQLiteError(code: SQLITE_ERROR, message: "the records of \(name) are no longer a table")
    }
}

/// One scan of records. It keeps their array, which nothing changes, so that the addresses of the records are valid.
@usableFromInline
final class RecordScan<Record> {
    // Without checks of exclusivity, as `CurrentRow`.
    @usableFromInline @exclusivity(unchecked) var records: ContiguousArray<Record> = []
    @usableFromInline @exclusivity(unchecked) var index = -1

    @usableFromInline
    init() {}

    @inlinable
    func begin(_ records: [Record]) {
        self.records = ContiguousArray(records)
        index = -1
    }

    /// Goes to the next record, and returns its address; `nil` after the last one.
    @inlinable
    func advance() -> UnsafeRawPointer? {
        index &+= 1
        return records.withUnsafeBufferPointer { records in
            index < records.count ? records.baseAddress.map { UnsafeRawPointer($0 + index) } : nil
        }
    }
}
