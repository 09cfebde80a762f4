extension Database {
    /// Returns the record with a key, now and after each change that concerns it; `nil` while there is none.
    ///
    ///     for try await user in database.observe(User.self, id) { show(user) }
    ///     // SELECT … FROM "users" WHERE "users"."id" = ?
    ///
    /// Where the key is the rowid, as of `id INTEGER PRIMARY KEY`, a change of another row is not noticed. With other keys, a change of another
    /// row makes the query run again. A record that is `Equatable` and equals the one before it is left out.
    ///
    /// The record is found by ``Connection/find(_:_:_:)``: a key that does not match that of the table ends the sequence with its error. Where
    /// the columns of the key are not the first ones, observe `find(_:key:)`: `database.observe { try $0.find(User.self, key: email) }`.
    ///
    /// - Parameters:
    ///   - type: The type of the record.
    ///   - key: The value of the key, of the type that the first column has.
    ///   - others: The values of the other columns of a composite key.
    ///   - coalescing: The time to wait for further changes before the query runs again.
    public func observe<Record: TableRecord & Sendable, each Other: StatementParameter & Sendable>(
        _ type: Record.Type, _ key: Record.DeclaredTable.Key, _ others: repeat each Other, coalescing: Duration = .zero
    ) -> ObservedValues<Record?> where Record.DeclaredTable.Key: StatementParameter & Sendable {
        ObservedValues(database: self, coalescing: coalescing, equality: .ifEquatable(.always)) {
            try $0.find(type, key, repeat each others)
        }
    }
}
