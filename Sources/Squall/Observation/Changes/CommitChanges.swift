/// The changes of a table by a transaction.
struct RowChanges: Equatable, Sendable {
    /// The changed columns, as far as an observer needs them.
    var columns = ColumnMask.none
    /// Whether rows were inserted or deleted, or got another rowid.
    var changesRows = false
    /// The rowids of the changed rows; `nil` if they are not known, or too many.
    var rowIDs: Set<Int64>? = []

    /// The number of rowids from which they are not kept any more.
    static let mostRowIDs = 10_000

    /// A change of which only the table is known.
    static let unknown = RowChanges(columns: .all, changesRows: true, rowIDs: nil)

    mutating func insert(rowID: Int64) { insert(rowIDs: CollectionOfOne(rowID)) }

    private mutating func insert(rowIDs more: some Sequence<Int64>) {
        rowIDs?.formUnion(more)
        if let count = rowIDs?.count, count > Self.mostRowIDs { rowIDs = nil }
    }

    mutating func formUnion(_ other: RowChanges) {
        columns.formUnion(other.columns)
        changesRows = changesRows || other.changesRows
        if let more = other.rowIDs { insert(rowIDs: more) } else { rowIDs = nil }
    }

    /// Whether the change may have changed what is read from a region of the table.
    func concerns(_ region: TableRegion) -> Bool {
        guard changesRows || columns.intersects(region.columns) else { return false }
        guard let watched = region.rowIDs, let rowIDs else { return true }
        return !watched.isDisjoint(with: rowIDs)
    }
}

/// The changes of a database by one or more transactions.
struct CommitChanges: Equatable, Sendable {
    private(set) var tables: [TableName: RowChanges] = [:]
    /// Whether anything may have changed: the schema, or the file by another connection.
    private(set) var isEverything = false
    /// Whether another connection or process may have made a change.
    private(set) var isExternal = false

    init() {}

    private init(isExternal: Bool) {
        isEverything = true
        self.isExternal = isExternal
    }

    /// Anything may have changed.
    static let everything = CommitChanges(isExternal: false)
    /// Another connection or process may have changed anything.
    static let external = CommitChanges(isExternal: true)

    /// Whether tables of attached files have changed, and none of the main file.
    var isOfAttachedFiles: Bool {
        let databases = Set(tables.keys.map(\.database))
        return !databases.contains("main") && !databases.isSubset(of: ["temp"])
    }

    var isEmpty: Bool { tables.isEmpty && !isEverything }

    /// The changes for an observer that has begun since they were made: their rowids may not have been followed for it.
    var withoutRowIDs: CommitChanges {
        var result = self
        for name in tables.keys { result.tables[name]?.rowIDs = nil }
        return result
    }

    mutating func insert(_ name: TableName, _ change: RowChanges) {
        tables[name, default: RowChanges()].formUnion(change)
    }

    /// Adds the virtual tables that store their rows in the changed tables.
    mutating func insertVirtualTables(_ isVirtual: (TableName) -> Bool) {
        for name in tables.keys {
            for owner in name.possibleOwners where isVirtual(owner) { insert(owner, .unknown) }
        }
    }

    mutating func formUnion(_ other: CommitChanges) {
        isEverything = isEverything || other.isEverything
        isExternal = isExternal || other.isExternal
        for (name, change) in other.tables { insert(name, change) }
    }

    /// Whether the changes may have changed what is read from a region.
    func concern(_ region: Region) -> Bool {
        if isEverything || region.isEverything { return !isEmpty }
        return tables.contains { name, change in region.tables[name].map { change.concerns($0) } ?? false }
    }
}
