import SquallSQLite

extension Row {
    /// Where a row reads from: its statement while that stands on the row, its own copy of the values afterwards.
    ///
    /// A statement owns one storage and hands it out again for every row. Before it moves on it looks whether anybody
    /// else still holds the storage; if so it leaves it to them, detached, and goes on with a new one.
    @usableFromInline
    final class Storage {
        // `@exclusivity(unchecked)`: the dynamic checks on these cost more than the reads that they guard, and nothing
        // here is ever passed `inout` while other code of Squall's or the user's runs.

        /// The statement that stands on this row, or `nil` once the row is detached.
        @usableFromInline @exclusivity(unchecked) var statement: OpaquePointer?

        /// Where the next look-up by name begins to search: rows are mostly read in the order of their columns.
        @usableFromInline @exclusivity(unchecked) var nextColumn = 0

        /// The names of the columns, where a look-up by name can start at `nextColumn`; of `knownLayout`, which keeps them.
        /// Through a pointer, because a reference would be retained and released for every name.
        @usableFromInline @exclusivity(unchecked) var expected = UnsafeBufferPointer<String>(start: nil, count: 0)

        /// Whether `expected` is ASCII alone. A text that Swift finds equal to such a name is the same if it is as long: what
        /// is only equivalent to an ASCII character takes more bytes.
        @usableFromInline @exclusivity(unchecked) var isASCII = false

        @exclusivity(unchecked) private var knownLayout: Layout? {
            didSet {
                expected = knownLayout?.expected ?? UnsafeBufferPointer(start: nil, count: 0)
                isASCII = knownLayout?.isASCII ?? false
            }
        }
        @exclusivity(unchecked) private var values: [OpaquePointer?] = []

        /// What the application has for the values that are decoded from the row. It is here and not in the decoders so that
        /// these hold one reference: they are copied for every column.
        @exclusivity(unchecked) var userInfo: [CodingUserInfoKey: any Sendable] = [:]

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

        /// Forgets the names if SQLite prepared the statement anew since they were read. Called on every first row: a
        /// cached `SELECT *` changes its columns, also under the same count, when somebody alters the table.
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

        /// Whether a name that Swift finds equal to that of a column is the same to SQLite, which compares bytes.
        @inlinable
        @inline(__always)
        func hasSameBytes(_ name: String, at column: Int) -> Bool {
            isASCII
                ? expected[column].utf8.count == name.utf8.count : expected[column].utf8.elementsEqual(name.utf8)
        }

        @usableFromInline
        func search(_ name: String) -> Int? {
            guard let index = layout.index(of: name) else { return nil }
            nextColumn = index + 1 < columnCount ? index + 1 : 0
            return index
        }

        /// Copies the values of the row and lets go of the statement.
        func detach() {
            guard let statement else { return }
            _ = layout
            values = (0..<sqlite3_data_count(statement)).map { sqlite3_value_dup(sqlite3_column_value(statement, $0)) }
            self.statement = nil
        }

        /// What the statement goes on with when somebody keeps this storage.
        func successor(for statement: OpaquePointer) -> Storage {
            detach()
            return Storage(statement: statement, layout: knownLayout)
        }
    }

    /// The names of the columns of a statement.
    final class Layout {
        let names: [String]
        /// The names again, unless some repeat: then the first of them wins, wherever the search begins.
        let expected: UnsafeBufferPointer<String>
        let isASCII: Bool
        let sql: String?
        let generation: Int32

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
                sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
            }
            let sql = sqlite3_sql(statement).map { String(cString: $0) }
            self.init(names: names, sql: sql, generation: Self.generation(of: statement))
        }

        deinit {
            let copy = UnsafeMutableBufferPointer(mutating: expected)
            copy.deinitialize()
            copy.deallocate()
        }

        /// How often SQLite has prepared the statement anew.
        static func generation(of statement: OpaquePointer) -> Int32 {
            sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
        }

        func index(of name: String) -> Int? {
            if let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return index }
            // To C, a name would end at its NUL, which no column has in its name.
            return name.utf8.contains(0) ? nil : names.firstIndex { sqlite3_stricmp($0, name) == 0 }
        }
    }
}
