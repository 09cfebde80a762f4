/// The statements and the open cursors of a connection, which are linked lists.
struct StatementList {
    // `unowned(unsafe)`: a statement and a cursor leave the list before they are deallocated.
    unowned(unsafe) var first: Statement?
    unowned(unsafe) var firstCursor: CursorCore?

    /// The number of statements in the list.
    var count = 0

    /// The number of statements that are borrowed from the cache.
    var borrowed = 0
}
