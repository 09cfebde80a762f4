import SquallSQLite

extension Row {
    /// The storage that a row reads from: the statement while it is at the row, a copy of the values afterwards.
    ///
    /// A statement owns one storage and uses it for every row. Before the statement advances, it checks whether a row still holds
    /// the storage. If so, the storage is detached for that row, and the statement continues with a new one.
    @usableFromInline
    final class Storage {
        // `@exclusivity(unchecked)`: the dynamic checks would cost more than the reads that they guard. None of these
        // properties is passed `inout` while other code of Squall or the user runs.

        /// The statement that is at this row, or `nil` once the row is detached.
        @usableFromInline @exclusivity(unchecked) var statement: OpaquePointer?

        /// The column at which the next lookup by name begins: rows are mostly read in the order of their columns.
        @usableFromInline @exclusivity(unchecked) var nextColumn = 0

        /// The column names for a lookup that begins at `nextColumn`. `knownLayout` owns them. They are behind a
        /// pointer because a reference would be retained and released for every name.
        @usableFromInline @exclusivity(unchecked) var expected = UnsafeBufferPointer<String>(start: nil, count: 0)

        /// Whether all names in `expected` are ASCII. Then a text that `String` finds equal is the same name if it has
        /// as many bytes: other characters equivalent to an ASCII character take more bytes.
        @usableFromInline @exclusivity(unchecked) var isASCII = false

        // The type whose keys were searched last, and their columns. `knownLayout` owns them, as it does `expected`.
        @exclusivity(unchecked) private(set) var lastKeyType: ObjectIdentifier?
        @exclusivity(unchecked) private(set) var lastKeyColumns: UnsafeMutablePointer<KeyColumns.KnownColumn>?

        @exclusivity(unchecked) private var knownLayout: Layout? {
            didSet {
                lastKeyColumns = nil
                expected = knownLayout?.expected ?? UnsafeBufferPointer(start: nil, count: 0)
                isASCII = knownLayout?.isASCII ?? false
            }
        }
        @exclusivity(unchecked) private var values: [OpaquePointer?] = []

        /// The connection's number of running calls, while a loop is at the row; see `Row+Spans.swift`.
        @usableFromInline @exclusivity(unchecked) var callDepth: UnsafeMutablePointer<Int>?

        /// The application's information for values decoded from the row. It is here and not in the decoders, so that a
        /// decoder holds one reference: decoders are copied for every column.
        @exclusivity(unchecked) var userInfo: [CodingUserInfoKey: any Sendable] = [:]

        /// The container of the keys of a `Decodable` type, which all rows of a query use; see `Row+Container.swift`.
        @exclusivity(unchecked) var container: AnyObject?
        @exclusivity(unchecked) var containerKeyType: ObjectIdentifier?
        @exclusivity(unchecked) var containerReference: StorageReference?
        /// Whether a value is being decoded from the row.
        @exclusivity(unchecked) var isDecoding = false

        init(statement: OpaquePointer, layout: Layout? = nil) {
            self.statement = statement
            self.knownLayout = layout
            self.expected = layout?.expected ?? expected
            self.isASCII = layout?.isASCII ?? false
        }

        deinit {
            for value in values { sqlite3_value_free(value) }
        }

        var columnCount: Int {
            statement.map { Int(sqlite3_data_count($0)) } ?? values.count
        }

        /// The names of the columns, read from the statement when first needed.
        var layout: Layout {
            if let knownLayout { return knownLayout }
            guard let statement else { return Layout() }
            let layout = Layout(statement: statement)
            knownLayout = layout
            return layout
        }

        /// Discards the names if SQLite has re-prepared the statement since they were read. Called on every first row:
        /// the columns of a cached `SELECT *` change when the table is altered, even if their number does not.
        @usableFromInline
        func beginExecution() {
            guard let knownLayout, let statement else { return }
            if knownLayout.generation != Layout.generation(of: statement) { self.knownLayout = nil }
        }

        @usableFromInline
        func detachedValue(at index: Int) -> SQLiteValue? {
            values.indices.contains(index) ? values[index].map { SQLiteValue($0) } : nil
        }

        @inlinable
        func index(of name: String) -> Int? {
            let column = nextColumn
            if column < expected.count, expected[column] == name, hasSameBytes(name, at: column) {
                // After the last column, the next row is read from the first.
                nextColumn = column + 1 < expected.count ? column + 1 : 0
                return column
            }
            return search(name)
        }

        /// Whether SQLite treats `name` as the column's name too: `String` compares by Unicode, SQLite by bytes.
        @inlinable
        @inline(__always)
        func hasSameBytes(_ name: String, at column: Int) -> Bool {
            isASCII
                ? expected[column].utf8.count == name.utf8.count : expected[column].utf8.elementsEqual(name.utf8)
        }

        /// Makes `lastKeyColumns` those of a type.
        func useKeyColumns(of type: ObjectIdentifier) {
            if lastKeyType == type, lastKeyColumns != nil { return }
            let columns = layout.keyColumns(of: type)
            lastKeyType = type
            lastKeyColumns = columns.columns
        }

        @usableFromInline
        func search(_ name: String) -> Int? {
            guard let index = layout.index(of: name) else { return nil }
            nextColumn = index + 1 < columnCount ? index + 1 : 0
            return index
        }

        /// Copies the values of the row and releases the statement.
        func detach() {
            guard let statement else { return }
            _ = layout
            values = (0..<sqlite3_data_count(statement)).map { sqlite3_value_dup(sqlite3_column_value(statement, $0)) }
            self.statement = nil
        }

        /// Whether SQLite had no memory for the copy of a value.
        var lacksValues: Bool { statement == nil && values.contains(nil) }

        /// Detaches this storage and returns the one with which the statement continues.
        func successor(for statement: OpaquePointer) -> Storage {
            detach()
            let next = Storage(statement: statement, layout: knownLayout)
            next.callDepth = callDepth
            return next
        }
    }

    /// The names of the columns of a statement.
    final class Layout {
        let names: [String]
        /// A copy of the names, empty if a name repeats. For a repeated name the first column counts, wherever the search begins.
        let expected: UnsafeBufferPointer<String>
        let isASCII: Bool
        let sql: String?
        let generation: Int32
        /// The columns of the keys of each type that was decoded.
        private var keyColumns: [KeyColumns] = []

        private init(names: [String], sql: String?, generation: Int32) {
            self.names = names
            let isUnique = Set(names).count == names.count
            let copy = UnsafeMutableBufferPointer<String>.allocate(capacity: isUnique ? names.count : 0)
            if isUnique { _ = copy.initialize(from: names) }
            self.expected = UnsafeBufferPointer(copy)
            self.isASCII = names.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } }
            self.sql = sql
            self.generation = generation
        }

        convenience init() {
            self.init(names: [], sql: nil, generation: 0)
        }

        convenience init(statement: OpaquePointer) {
            let names = (0..<sqlite3_column_count(statement)).map { index in
                // SQLite returns no name if memory was missing just before, but returns it at the second call.
                (sqlite3_column_name(statement, index) ?? sqlite3_column_name(statement, index))
                    .map { String(cString: $0) } ?? ""
            }
            let sql = sqlite3_sql(statement).map { String(cString: $0) }
            self.init(names: names, sql: sql, generation: Self.generation(of: statement))
        }

        deinit {
            let copy = UnsafeMutableBufferPointer(mutating: expected)
            copy.deinitialize()
            copy.deallocate()
        }

        /// The number of times that SQLite has re-prepared the statement.
        static func generation(of statement: OpaquePointer) -> Int32 {
            sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
        }

        func keyColumns(of type: ObjectIdentifier) -> KeyColumns {
            if let known = keyColumns.first(where: { $0.type == type }) { return known }
            let made = KeyColumns(type: type)
            keyColumns.append(made)
            return made
        }

        func index(of name: String) -> Int? {
            if let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return index }
            // In C a name would end at its NUL. Column names have no NUL.
            return name.utf8.contains(0) ? nil : names.firstIndex { sqlite3_stricmp($0, name) == 0 }
        }
    }
}
