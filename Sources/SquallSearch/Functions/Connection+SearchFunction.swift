import Squall

extension Connection {
    /// Adds a function to FTS5 that ranks the rows of a search.
    ///
    ///     try connection.addRankingFunction("recency") { match in
    ///         match.bm25() * (try match.column(2, as: Double.self))
    ///     }
    ///     try connection.query(
    ///         "SELECT title FROM notes WHERE notes MATCH \(pattern) ORDER BY recency(notes)")
    ///
    /// The smaller the rank, the better. SQLite calls the function for each row that the search finds.
    ///
    /// The closure may use the connection, but not close it. If it throws, the statement throws that error. It is
    /// kept until the connection is closed; a function of the same name replaces it for statements that are prepared later.
    ///
    /// - Throws: `SQLiteError`: `libraryLacks` if SQLite was built without FTS5; `SQLITE_BUSY` (5)
    ///   inside a function or a collation; `SQLITE_MISUSE` (21) for a name with a NUL character.
    public func addRankingFunction(
        _ name: String, _ rank: @escaping (_ match: borrowing SearchMatch) throws -> Double
    ) throws {
        try addSearchFunction(name, rank)
    }

    /// Adds an auxiliary function to FTS5, such as `highlight` is: a function of a row that a search has found, and of further arguments.
    ///
    ///     try connection.addSearchFunction("first_place") {
    ///         (match: borrowing SearchMatch, column: Int) in
    ///         var first: Int?
    ///         for index in 0..<(try match.instanceCount) {
    ///             let place = try match.instance(index)
    ///             if place.column == column { first = min(first ?? .max, place.token) }
    ///         }
    ///         return first
    ///     }
    ///     let places: [Int] = try connection.query(
    ///         "SELECT first_place(notes, 1) FROM notes WHERE notes MATCH 'swift'")
    ///
    /// Arguments and result are of the types that a function of SQL has: see `FunctionArgument`. For errors, and for the lifetime of the
    /// closure, see ``addRankingFunction(_:_:)``.
    ///
    /// - Throws: `SQLiteError`, as for ranking functions.
    public func addSearchFunction<each Argument: FunctionArgument, Result: StatementParameter>(
        _ name: String,
        _ function: @escaping (_ match: borrowing SearchMatch, repeat each Argument) throws -> Result
    ) throws {
        let expected = packCount(repeat (each Argument).self)
        try installSearchFunction(name) { match, call in
            guard call.count == expected else {
                throw SQLiteError(
                    SearchFunctionProblem.argumentCount(function: name, expected: expected, given: call.count))
            }
            var index = 0
            try function(match, repeat try (each Argument).fromArgument(call.next(&index))).bind(to: call.result)
        }
    }
}

/// The reason why a search function fails.
public enum SearchFunctionProblem: SQLiteProblem {
    /// Thrown when a search function uses a column, a phrase or an instance that the match does not have.
    case noSuchPart(String, index: Int)
    /// Thrown when a search function is called with another number of arguments than its closure takes.
    case argumentCount(function: String, expected: Int, given: Int)
    /// Thrown when a search function uses the state of its query inside a closure that changes it.
    case stateInUse
}

extension SearchFunctionProblem {
    public var code: ResultCode {
        switch self {
        case .noSuchPart: .range
        case .argumentCount: .error
        case .stateInUse: .misuse
        }
    }

    public var message: String {
        switch self {
        case .noSuchPart(let part, let index): "the match has no \(part) \(index)"
        case .argumentCount(let function, let expected, let given):
            "\(function)() takes \(expected) \(expected == 1 ? "argument" : "arguments") after the table, not \(given)"
        case .stateInUse: "the state of the query is used inside a closure that changes it"
        }
    }
}
