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
    private let binders: [FieldBinder]
    var moduleNumber: Int?
    private var name = ""
    private var records: [Record]?

    init(_ core: TableCore<Record>) {
        self.core = core
        binders = core.columns.map(\.write)
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

    /// Returns a cursor. Inlined where the type of the records is known: unspecialised code looks up the array's types for each column.
    @inlinable
    func reading() -> CursorBox {
        let scan = makeScan()
        return CursorBox(
            parameterCount: 0,
            filter: { _ in try scan.begin(self.current()) },
            next: { scan.advance() },
            column: { index, destination in try scan.bind(index, to: destination) },
            rowID: { nil }
        )
    }

    @usableFromInline
    func makeScan() -> RecordScan<Record> { RecordScan(binders) }

    @usableFromInline
    func current() throws -> [Record] {
        if let records { return records }
        throw SQLiteError(code: SQLITE_ERROR, message: "the records of \(name) are no longer a table")
    }
}

/// One scan of records.
@usableFromInline
final class RecordScan<Record> {
    private let binders: [FieldBinder]
    // Without checks of exclusivity, as `SourceState`.
    @usableFromInline @exclusivity(unchecked) var records: [Record] = []
    @usableFromInline @exclusivity(unchecked) var index = -1

    init(_ binders: [FieldBinder]) {
        self.binders = binders
    }

    @inlinable
    func begin(_ records: [Record]) {
        self.records = records
        index = -1
    }

    @inlinable
    func advance() -> Bool {
        index &+= 1
        return index < records.count
    }

    /// Binds a column of the current record, where it is in the array.
    @inlinable
    func bind(_ column: Int, to destination: BindingDestination) throws {
        try records.withUnsafeBufferPointer { records in
            if let first = records.baseAddress, records.indices.contains(index) {
                try bind(column, of: UnsafeRawPointer(first + index), to: destination)
            }
        }
    }

    @usableFromInline
    func bind(_ column: Int, of record: UnsafeRawPointer, to destination: BindingDestination) throws {
        try binders[column].bind(record, to: destination)
    }
}
