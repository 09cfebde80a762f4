import CSQLite

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

        @exclusivity(unchecked) private var knownLayout: Layout?
        @exclusivity(unchecked) private var values: [OpaquePointer?] = []

        init(statement: OpaquePointer, layout: Layout? = nil) {
            self.statement = statement
            self.knownLayout = layout
        }

        deinit {
            for value in values { sqlite3_value_free(value) }
        }

        var columnCount: Int {
            statement.map { Int(sqlite3_data_count($0)) } ?? values.count
        }

        /// The names of the columns, read from the statement when first needed.
        @usableFromInline var layout: Layout {
            if let knownLayout { return knownLayout }
            guard let statement else { return .none }
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
            let layout = layout
            if nextColumn < layout.hintable, layout.names[nextColumn] == name {
                let index = nextColumn
                nextColumn += 1
                return index
            }
            guard let index = layout.search(name) else { return nil }
            nextColumn = index + 1
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
    @usableFromInline
    final class Layout: Sendable {
        @usableFromInline let names: [String]
        /// The number of columns that may be found by looking at the expected place alone: none where names repeat,
        /// because the first of them wins.
        @usableFromInline let hintable: Int
        let sql: String?
        let generation: Int32

        static let none = Layout(names: [], sql: nil, generation: 0)

        private init(names: [String], sql: String?, generation: Int32) {
            self.names = names
            self.hintable = Set(names).count == names.count ? names.count : 0
            self.sql = sql
            self.generation = generation
        }

        convenience init(statement: OpaquePointer) {
            let names = (0..<sqlite3_column_count(statement)).map { index in
                sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
            }
            let sql = sqlite3_sql(statement).map { String(cString: $0) }
            self.init(names: names, sql: sql, generation: Self.generation(of: statement))
        }

        /// How often SQLite has prepared the statement anew.
        static func generation(of statement: OpaquePointer) -> Int32 {
            sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
        }

        @usableFromInline
        func search(_ name: String) -> Int? {
            names.firstIndex(of: name) ?? names.firstIndex { sqlite3_stricmp($0, name) == 0 }
        }
    }
}
