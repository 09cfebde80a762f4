import SquallSQLite

/// The tables of a query while its closures run. A query that begins inside such a closure is a subquery: it must not use their
/// names for its own tables.
///
/// Kept per thread and not in a task-local value, which costs more than the rest of a clause.
@usableFromInline
struct QueryScope {
    private let names: [String]
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

    /// A scope in the innermost one.
    @usableFromInline
    init(names: [String]) {
        self.names = names
        outer = Self.current
    }

    /// Runs a closure of a query.
    @inlinable
    static func run<Result>(names: [String], _ body: () throws -> Result) rethrows -> Result {
        try withUnsafePointer(to: QueryScope(names: names)) { scope in
            begin(scope)
            defer { end(scope) }
            return try body()
        }
    }

    @usableFromInline
    static func begin(_ scope: UnsafePointer<QueryScope>) { pthread_setspecific(key, scope) }

    @usableFromInline
    static func end(_ scope: UnsafePointer<QueryScope>) { pthread_setspecific(key, scope.pointee.outer) }

    /// Returns whether an enclosing query has a table of this name.
    static func contains(_ name: String) -> Bool {
        guard var scope = current else { return false }
        let name = Identifier(name)
        while true {
            if scope.pointee.names.contains(where: { Identifier($0) == name }) { return true }
            guard let outer = scope.pointee.outer else { return false }
            scope = outer
        }
    }
}
