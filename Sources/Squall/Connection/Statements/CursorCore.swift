/// The statement of a cursor, borrowed from the cache until the cursor ends.
///
/// It keeps its connection alive, and the connection has a list of its open cursors: the connection of a pool ends them when
/// it is returned, before another thread can use it.
@usableFromInline
final class CursorCore {
    fileprivate enum CursorState {
        case open(Connection, StatementCache.Entry)
        /// The rows have ended, or the cursor has.
        case ended
        /// The closure that received the connection has ended.
        case returned
    }

    private let sql: String
    private var state: CursorState
    /// The number of columns that the rows must have; `nil` for any number.
    private let columnCount: Int?
    /// Whether the columns of the first row have been counted.
    private var isOnRow = false

    // The list of the connection's cursors. `unowned(unsafe)`: each leaves the list before it is deallocated.
    fileprivate unowned(unsafe) var nextCursor: CursorCore?
    private unowned(unsafe) var previousCursor: CursorCore?

    init(_ connection: Connection, _ entry: StatementCache.Entry, columnCount: Int?) {
        sql = entry.statement.sql
        state = .open(connection, entry)
        self.columnCount = columnCount
        nextCursor = connection.statements.firstCursor
        nextCursor?.previousCursor = self
        connection.statements.firstCursor = self
    }

    deinit { end() }

    /// Moves to the next row and returns it; `nil` at the end, which ends the cursor.
    @usableFromInline
    func nextRow() throws -> Row? {
        switch state {
        case .ended: return nil
        case .returned: throw SQLiteError.misuse(.connectionReturned, sql: sql)
        case .open(let connection, let entry):
            // The connection is kept by `state`, which a hook can change during a step.
            return try withExtendedLifetime(connection) {
                do {
                    if let row = try entry.statement.nextRow() {
                        if !isOnRow {
                            isOnRow = true
                            if let columnCount { try entry.statement.requireColumns(columnCount, in: row) }
                        }
                        return row
                    }
                } catch {
                    end()
                    throw error
                }
                end()
                return nil
            }
        }
    }

    /// Calls a function with the statement, if the cursor is open.
    func check(_ body: (Statement) throws -> Void) throws {
        if case .open(_, let entry) = state { try body(entry.statement) }
    }

    /// Returns the statement to the cache, reset and without values.
    @usableFromInline
    func end() { end(with: .ended) }

    fileprivate func end(with next: CursorState) {
        guard case .open(let connection, let entry) = state else { return }
        state = next
        nextCursor?.previousCursor = previousCursor
        if let previousCursor {
            previousCursor.nextCursor = nextCursor
        } else {
            connection.statements.firstCursor = nextCursor
        }
        nextCursor = nil
        previousCursor = nil
        connection.return(entry)
    }
}

extension Connection {
    /// Ends the cursors that a closure has left open.
    func endCursors() {
        while let cursor = statements.firstCursor { cursor.end(with: .returned) }
    }
}
