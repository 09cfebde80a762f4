import Squall
import SquallSQLite

extension SearchMatch {
    /// Calls a closure with a value that is kept from row to row of one query, for instance a computed weight of the phrases.
    ///
    ///     let weights = try match.withQueryState(initial: try weights(of: match)) { $0 }
    ///
    /// A function has one value in a query. It is made again if its type changes.
    ///
    /// - Parameters:
    ///   - initial: The value at the first row.
    ///   - body: Reads and changes the value.
    /// - Throws: The errors of the closures; `SQLiteError`, with the problem ``SearchFunctionProblem/stateInUse`` inside one of them.
    public borrowing func withQueryState<State, Result>(
        initial: @autoclosure () throws -> State, _ body: (inout State) throws -> Result
    ) throws -> Result {
        let memory = try queryMemory()
        // A second access to the state would stop the program.
        if memory.isStateInUse { throw SQLiteError(SearchFunctionProblem.stateInUse) }
        memory.isStateInUse = true
        defer { memory.isStateInUse = false }
        if let box = memory.state as? StateBox<State> { return try body(&box.state) }
        let box = StateBox(state: try initial())
        memory.state = box
        return try body(&box.state)
    }

    /// Returns the object that FTS5 keeps for the function during the query.
    @inline(__always)
    borrowing func queryMemory() throws -> QueryMemory {
        if let known = api.pointee.xGetAuxdata(context, 0) {
            return Unmanaged<QueryMemory>.fromOpaque(known).takeUnretainedValue()
        }
        return try makeQueryMemory()
    }

    @inline(never)
    private borrowing func makeQueryMemory() throws -> QueryMemory {
        let memory = QueryMemory(callbacks: callbacks)
        // If FTS5 has no memory for it, it releases the object itself.
        let code = api.pointee.xSetAuxdata(context, memory.retained(), SearchObject.release)
        try check(code)
        return memory
    }
}

/// The object that FTS5 keeps for a function during a query. It is released in the middle of a step.
final class QueryMemory: SearchObject {
    fileprivate(set) var state: AnyObject?
    fileprivate var isStateInUse = false
    var ranking: RankingState?
}

private final class StateBox<State> {
    var state: State

    init(state: State) {
        self.state = state
    }
}
