extension Database {
    /// Returns the value that a closure reads, now and after each change that concerns it.
    ///
    ///     let dear = database.observe { try $0.all(Car.self) { $0.price > 20_000 } }
    ///     for try await cars in dear { show(cars) }
    ///
    /// SQLite reports which tables and columns the closure reads, each time that it runs. A commit that does not change them is not
    /// noticed: an `UPDATE` that leaves the columns as they were, a change of another table, a rollback. `count(*)` depends on inserts
    /// and deletes alone. <doc:FollowingChanges> has a table of what is seen.
    ///
    /// The closure runs on a reader, in one snapshot, when the consumer asks for the next value. A slow consumer gets the latest value.
    /// The sequence ends when its task is cancelled or the database is closed, and with the error of the closure. While the database
    /// is suspended, it waits.
    ///
    /// A change by another connection or process makes the closure run again, whatever it reads. An `Equatable` value that equals the
    /// one before it is then left out.
    ///
    /// - Parameters:
    ///   - coalescing: The time to wait for further changes before the closure runs again.
    ///   - fetch: Reads the value. The connection must not leave it.
    public func observe<Value: Sendable>(
        coalescing: Duration = .zero, _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> ObservedValues<Value> {
        ObservedValues(
            database: self, coalescing: coalescing, equality: .ifEquatable(.afterUnknownChanges), fetch: fetch)
    }

    /// Returns the value that a closure reads, now and after each change that concerns it, as ``observe(coalescing:_:)`` does.
    ///
    ///     let recent = database.observe(
    ///         coalescing: .milliseconds(50), removingDuplicates: true
    ///     ) {
    ///         try $0.query(sql) as [Car]
    ///     }
    ///
    /// - Parameters:
    ///   - coalescing: The time to wait for further changes before the closure runs again.
    ///   - removingDuplicates: Whether a value that equals the one before it is left out. After a change by another connection or process,
    ///     it always is.
    ///   - fetch: Reads the value. The connection must not leave it.
    public func observe<Value: Sendable & Equatable>(
        coalescing: Duration = .zero, removingDuplicates: Bool,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) -> ObservedValues<Value> {
        ObservedValues(
            database: self, coalescing: coalescing,
            equality: Equality(use: removingDuplicates ? .always : .afterUnknownChanges) { $0 == $1 }, fetch: fetch)
    }

    /// Returns the result of a query, now and after each change that concerns it.
    ///
    ///     let counts = database.observe("SELECT count(*) FROM orders", as: Int.self)
    ///     for try await count in counts { show(count) }
    ///     let names = database.observe("SELECT name FROM cars", as: [String].self)
    ///     for try await list in names { show(list) }
    ///
    /// After a change by another connection or process, an `Equatable` result that equals the one before it is left out.
    ///
    /// - Parameters:
    ///   - sql: The query.
    ///   - type: The type of the result, as ``Connection/query(_:_:)->Result`` returns it.
    ///   - coalescing: The time to wait for further changes before the query runs again.
    public func observe<Value: QueryResult & Sendable>(
        _ sql: SQL, as type: Value.Type, coalescing: Duration = .zero
    ) -> ObservedValues<Value> {
        observe(coalescing: coalescing) { try $0.query(sql) }
    }

    /// Returns the result of a query, now and after each change that concerns it, as ``observe(_:as:coalescing:)`` does.
    ///
    /// - Parameters:
    ///   - sql: The query.
    ///   - type: The type of the result, as ``Connection/query(_:_:)->Result`` returns it.
    ///   - coalescing: The time to wait for further changes before the query runs again.
    ///   - removingDuplicates: Whether a value that equals the one before it is left out. After a change by another connection or process,
    ///     it always is.
    public func observe<Value: QueryResult & Sendable & Equatable>(
        _ sql: SQL, as type: Value.Type, coalescing: Duration = .zero, removingDuplicates: Bool
    ) -> ObservedValues<Value> {
        observe(coalescing: coalescing, removingDuplicates: removingDuplicates) { try $0.query(sql) }
    }
}
