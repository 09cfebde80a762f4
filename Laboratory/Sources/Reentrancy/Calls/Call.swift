/// A call of a public method or property.
struct Call: Sendable {
    /// Where the object of a call can be used.
    enum Scope {
        /// On one thread at a time: a connection and what belongs to it.
        case connection
        /// Inside a closure only: it cannot outlive it.
        case closure
        /// On any thread: a database and what belongs to it.
        case database
    }

    /// What the object of a call keeps open on the connection.
    enum Holding {
        case nothing
        /// A statement that is not at a row.
        case statement
        /// A statement at a row, and with it a read transaction.
        case rows
        /// A blob, and with it a read transaction.
        case blob
        /// A blob that is open for writing, and with it a transaction.
        case writableBlob
    }

    /// Makes the objects of a call, and makes it in a situation.
    typealias Body = @Sendable (Scene, (@escaping () throws -> Void) throws -> Void) throws -> Void

    /// The type and the method, as in the symbol graph: `Connection.run(_:_:)`.
    let name: String
    let scope: Scope
    var holding = Holding.nothing
    /// The grounds; `nil` for all of the scope.
    var grounds: [Ground]?
    let perform: Body

    func fits(_ ground: Ground) -> Bool {
        if let grounds { return grounds.contains(ground) }
        return switch scope {
        case .connection, .closure: ground == .own || ground == .writer || ground == .group || ground == .reader
        case .database: ground != .own && ground != .memory
        }
    }
}

/// A list of calls, which is built type by type.
struct CallList {
    private(set) var calls: [Call] = []
    /// The type whose calls are added now.
    private var type = ""

    static let all: [Call] = {
        var list = CallList()
        list.addConnectionCalls()
        list.addTableAccess()
        list.addStatementCalls()
        list.addRowCalls()
        list.addSessionCalls()
        list.addDatabaseCalls()
        list.addAccessCalls()
        list.addSchemaCalls()
        list.addStoreCalls()
        list.addIteratorCalls()
        return list.calls
    }()

    mutating func begin(_ type: String) { self.type = type }

    mutating func add(
        _ name: String, _ scope: Call.Scope, holding: Call.Holding = .nothing, grounds: [Ground]? = nil,
        _ perform: @escaping Call.Body
    ) {
        calls.append(Call(name: "\(type).\(name)", scope: scope, holding: holding, grounds: grounds, perform: perform))
    }
}
