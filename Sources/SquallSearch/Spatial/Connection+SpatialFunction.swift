import Squall

extension Connection {
    /// Tests a box of an R*Tree for a query.
    public typealias SpatialTest = (borrowing SpatialCandidate) throws -> SpatialMatch

    /// Adds a function that searches R*Trees for a region of any form: `WHERE id MATCH circle(1, 2, 3)`. It replaces a function with the
    /// same name.
    ///
    ///     try connection.addSpatialFunction("circle") {
    ///         (x: Double, y: Double, radius: Double) in
    ///         let centre = SpatialBox.point(x, y)
    ///         return { candidate in
    ///             candidate.box.distance(to: centre) <= radius ? .partlyInside : .outside
    ///         }
    ///     }
    ///     let near = try connection.entries(boxes.matching("circle", 13.4, 52.5, 0.1))
    ///
    /// The closure receives the arguments of the query, once for each search, and returns the test of a box. An argument is read as
    /// those of `addFunction` are. SQLite passes to the test the boxes of the tree, from those that contain others to those of entries, and
    /// leaves out what is in a box that is ``SpatialMatch/outside``. Entries that are not outside are found, in the order of their scores.
    ///
    /// An error that a closure throws is thrown by the statement, with its own type. The closures may use their connection, but must not
    /// close it, or add or remove functions, or change the R*Tree (`SQLITE_LOCKED`). They must not retain the connection: capture it
    /// `weak` or `unowned`. `removeFunction(named:argumentCount:)` with -1 removes the function.
    ///
    /// The condition is a term of the WHERE clause, joined with others by AND, or by OR with conditions on the key.
    /// Views and triggers can use the function only where the schema is trusted: SQLite has no spatial functions that are innocuous.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - makeTest: The closure that makes the test for the arguments.
    /// - Throws: `SQLiteError`: `SQLITE_MISUSE` (21) for a name of more than 255 bytes or with a NUL character; `SQLITE_BUSY` (5)
    ///   inside a function or a collation, and if the function replaces another while a statement is running or is at a row;
    ///   `SQLITE_ERROR` (1), of the kind `libraryLacks`, for a SQLite without R*Tree.
    @inlinable
    public func addSpatialFunction<each Argument: FunctionArgument>(
        _ name: String, _ makeTest: @escaping (repeat each Argument) throws -> SpatialTest
    ) throws {
        try addSpatialFunction(name, argumentCount: packCount(repeat (each Argument).self)) { arguments in
            var index = 0
            return try makeTest(repeat try (each Argument).fromArgument(arguments.next(&index)))
        }
    }
}
