extension SchemaCatalog {
    /// A table or a view, as `PRAGMA table_list` reports it.
    package struct Listing {
        package enum Kind: String {
            case table, view, virtual
            /// A table in which a virtual table keeps its rows.
            case shadow
        }

        package let name: String
        package let kind: Kind
        package let isWithoutRowID: Bool
        package let isStrict: Bool
    }

    /// A column of a table or a view, as `PRAGMA table_xinfo` reports it.
    package struct Column: Hashable {
        package enum Storage: Int {
            case ordinary
            /// A parameter of a virtual table.
            case hidden
            /// A generated column that is computed when it is read.
            case computed
            /// A generated column that is stored.
            case generated
        }

        package let name: String
        package var type: String
        package let isNotNull: Bool
        /// The SQL of the default, without the parentheses of an expression.
        package var defaultValue: String?
        /// The position in the primary key, from 1; 0 for a column that is not in it.
        package let keyPosition: Int
        package let storage: Storage

        package var isGenerated: Bool { storage == .computed || storage == .generated }
        package var isInPrimaryKey: Bool { keyPosition > 0 }
    }

    /// The statement or the constraint that has made an index.
    package enum IndexOrigin: String {
        case statement = "c"
        case unique = "u"
        case primaryKey = "pk"
    }

    /// An index of a table, as `PRAGMA index_list` reports it.
    package struct Index: Hashable {
        package let name: String
        package let isUnique: Bool
        package let origin: IndexOrigin
        let isPartial: Bool
    }

    /// A column of an index, as `PRAGMA index_xinfo` reports it.
    package struct IndexColumn: Hashable {
        /// `nil` for the rowid and for an expression.
        package let name: String?
        package let isDescending: Bool
        package let collation: String?
        /// Whether the index is sorted by it. The others lead to the row.
        package let isInKey: Bool
    }

    /// A foreign key of a table, as `PRAGMA foreign_key_list` reports it.
    package struct ForeignKey: Hashable {
        package struct Column: Hashable {
            package let name: String
            /// The column that it refers to; `nil` for that of the parent's primary key.
            package let parent: String?
        }

        let number: Int
        package var parent: String
        /// The actions, as SQLite spells them: `CASCADE`, `SET NULL`, `SET DEFAULT`, `RESTRICT` or `NO ACTION`.
        package let onUpdate: String
        package let onDelete: String
        package fileprivate(set) var columns: [Column] = []
    }
}

extension SchemaCatalog {
    /// Returns the columns of a table or a view, without the hidden ones of virtual tables; none if it does not exist.
    package func columns(ofTable table: String) throws -> [Column] {
        try allColumns(ofTable: table).filter { $0.storage != .hidden }
    }

    /// Returns the columns of a table or a view, also the hidden ones of virtual tables; none if it does not exist.
    package func allColumns(ofTable table: String) throws -> [Column] {
        var columns: [Column] = []
        try forEach("table_xinfo", table) { row in
            columns.append(
                Column(
                    name: row.text(1), type: row.text(2), isNotNull: row.bool(3), defaultValue: row.optionalText(4),
                    keyPosition: row.int(5), storage: .init(rawValue: row.int(6)) ?? .ordinary))
        }
        return columns
    }

    /// Returns the column that is another name of the rowid, which cannot be NULL. Every other primary key has an index.
    ///
    /// - Parameter columns: The columns of the table.
    package func rowIDColumn(ofTable table: String, among columns: [Column]) throws -> Column? {
        let key = columns.filter(\.isInPrimaryKey)
        guard key.count == 1, try !indexes(ofTable: table).contains(where: { $0.origin == .primaryKey }) else {
            return nil
        }
        return key[0]
    }

    /// Returns the indexes of a table, also those of its constraints.
    package func indexes(ofTable table: String) throws -> [Index] {
        var indexes: [Index] = []
        try forEach("index_list", table) { row in
            indexes.append(
                Index(
                    name: row.text(1), isUnique: row.bool(2), origin: .init(rawValue: row.text(3)) ?? .statement,
                    isPartial: row.bool(4)))
        }
        return indexes
    }

    /// Returns the columns of an index, in their order.
    package func columns(ofIndex index: String) throws -> [IndexColumn] {
        var columns: [IndexColumn] = []
        try forEach("index_xinfo", index) { row in
            columns.append(
                IndexColumn(
                    name: row.optionalText(2), isDescending: row.bool(3), collation: row.optionalText(4),
                    isInKey: row.bool(5)))
        }
        return columns
    }

    /// Returns the foreign keys of a table, the last one first.
    package func foreignKeys(ofTable table: String) throws -> [ForeignKey] {
        var keys: [ForeignKey] = []
        try forEach("foreign_key_list", table) { row in
            if row.int(1) == 0 {
                keys.append(
                    ForeignKey(
                        number: row.int(0), parent: row.text(2), onUpdate: row.text(5),
                        onDelete: row.text(6)))
            }
            keys[keys.count - 1].columns.append(.init(name: row.text(3), parent: row.optionalText(4)))
        }
        return keys
    }

    /// Returns the kind and the options of a table or a view; `nil` if it does not exist.
    package func listing(ofTable table: String) throws -> Listing? { try listings(table).first }

    /// Returns the kinds and the options of the tables and views, in no order.
    package func listings() throws -> [Listing] { try listings(nil) }

    private func listings(_ table: String?) throws -> [Listing] {
        var listings: [Listing] = []
        try forEach("table_list", table) { row in
            guard let kind = Listing.Kind(rawValue: row.text(2)) else { return }
            listings.append(
                Listing(name: row.text(1), kind: kind, isWithoutRowID: row.bool(4), isStrict: row.bool(5)))
        }
        return listings
    }
}

extension String {
    /// The names by which SQL reads the rowid of a table, if no column has them.
    static let rowIDNames = ["rowid", "_rowid_", "oid"]

    /// Whether the rowid of a table can be read by the name, if no column has it.
    package var isRowIDName: Bool { Self.rowIDNames.contains { isSameName(as: $0) } }

    /// Returns a name of the rowid that no column has; `nil` if columns have all of them, so that no SQL can read it.
    package static func rowIDName(besides columns: some Sequence<String>) -> String? {
        let columns = Set(columns.map { Identifier($0) })
        return rowIDNames.first { !columns.contains(Identifier($0)) }
    }
}
