/// A cursor: the rows of a query, read one at a time by a loop that can stop.
///
///     var rows = try connection.rows(
///         "SELECT id, name FROM cars ORDER BY price", as: (Int, String).self)
///     while let (id, name) = try rows.next() {
///         if name == wanted { break }
///     }
///
/// The statement comes from the cache and begins with the first ``next()``. It is reset and returned after the last row,
/// and otherwise when the cursor ends: with its scope, or in a function that consumes it. Until then it may hold a read lock.
///
/// A cursor keeps its connection alive. If the connection is closed, or a rollback ends the statement, ``next()`` throws. So it
/// does after the closure of a queue, a pool or a database that the connection was for.
public struct RowCursor<Element>: ~Copyable {
    @usableFromInline let core: CursorCore
    /// Makes an element from a row; `nil` for a row that is left out.
    @usableFromInline let read: (Row) throws -> Element?

    @inlinable
    init(_ core: CursorCore, read: @escaping (Row) throws -> Element?) {
        self.core = core
        self.read = read
    }

    /// Moves to the next row and returns it; `nil` after the last row.
    ///
    /// After a ``ConversionError``, the next call moves to the row after it. A ``SQLiteError`` ends the cursor.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit; any error of an initialiser.
    @inlinable
    public mutating func next() throws -> Element? {
        while let row = try core.nextRow() {
            if let element = try read(row) { return element }
        }
        return nil
    }
}
