import SquallSQLite

/// The tables of a query while its closures run. A query that begins inside such a closure is a subquery: it must not use their
/// names for its own tables.
///
/// Kept per thread and not in a task-local value, which costs more than the rest of a clause.
struct QueryScope {
    private let names: [String]
    private let commonTables: [String]
    private let query: QueryID
    private let outer: UnsafePointer<QueryScope>?

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The innermost query whose closure this thread runs. The scopes are on the stack of the thread, which ends them in reverse
    /// order.
    private static var current: UnsafePointer<QueryScope>? {
        pthread_getspecific(key).map { UnsafePointer($0.assumingMemoryBound(to: QueryScope.self)) }
    }

    /// Runs a closure of a query.
    static func run<Result>(
        names: [String], commonTables: [String] = [], query: QueryID, _ body: () throws -> Result
    ) rethrows -> Result {
        let outer = current
        var scope = QueryScope(names: names, commonTables: commonTables, query: query, outer: outer)
        return try withUnsafeMutablePointer(to: &scope) { scope in
            pthread_setspecific(key, scope)
            defer { pthread_setspecific(key, outer) }
            return try body()
        }
    }

    private static func first(where isMatch: (QueryScope) -> Bool) -> QueryScope? {
        var next = current
        while let scope = next {
            if isMatch(scope.pointee) { return scope.pointee }
            next = scope.pointee.outer
        }
        return nil
    }

    /// Returns whether an enclosing query has a table of this name.
    static func contains(_ name: Identifier) -> Bool {
        first { $0.names.contains { Identifier($0) == name } } != nil
    }

    /// Returns whether an enclosing query defines a common table expression of this name.
    static func definesCommonTable(_ name: Identifier) -> Bool {
        first { $0.commonTables.contains { Identifier($0) == name } } != nil
    }

    /// Returns whether a table of a query cannot be named here, because a query inside it has another table of this name.
    static func hides(_ name: String, of query: QueryID) -> Bool {
        guard query != .none, current?.pointee.outer != nil else { return false }
        let name = Identifier(name)
        return first { $0.names.contains { Identifier($0) == name } }.map { $0.query != query } ?? false
    }
}

/// The identity of a query, by which its tables are told from those of other queries.
@_documentation(visibility: internal)
public struct QueryID: Equatable, Sendable {
    private let bits: UInt

    /// The query of a verb that has only one table, and no subquery can be built before it.
    static let none = QueryID(bits: 0)

    private init(bits: UInt) { self.bits = bits }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Returns an identity that no other query has. Each thread counts from a random number, so that threads share nothing.
    static func next() -> QueryID {
        var last = UInt(bitPattern: pthread_getspecific(key))
        if last == 0 { last = .random(in: 1...UInt.max) }
        last &+= last == .max ? 2 : 1
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: last))
        return QueryID(bits: last)
    }
}
