extension Connection {
    /// The records of a declared table, on a connection.
    ///
    ///     let corners = Table("corners", Point.self) { … }
    ///     try connection.table(corners).insert(Point(x: 1, y: 2))
    ///     let right = try connection.table(corners).all { $0.x > 3 }
    ///
    /// It has the verbs for records of a ``Connection``, whose forms by type use the table of the type: `connection.all(User.self)` is
    /// `connection.table(User.table).all()`.
    public struct TableAccess<Record, Key> {
        @usableFromInline let connection: Connection
        @usableFromInline let core: TableCore<Record>

        @inlinable
        init(_ connection: Connection, _ core: TableCore<Record>) {
            self.connection = connection
            self.core = core
        }
    }

    /// Returns access to the records of a declared table, which need not be the table of their type.
    ///
    ///     try connection.table(corners).insert(Point(x: 1, y: 2))
    ///     let corner = try connection.table(corners).find(1, 2)
    @inlinable
    public func table<T: RecordTable>(_ table: T) -> TableAccess<T.Record, T.Key> {
        TableAccess(self, table.core)
    }

    /// Returns access to the records of a table whose type of the key is not known.
    package func table<Record>(withoutKey table: any RecordTable<Record>) -> TableAccess<Record, Any> {
        TableAccess(self, table.core)
    }
}
