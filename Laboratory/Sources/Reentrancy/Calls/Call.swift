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

    /// How a call ends where nothing else happens.
    enum Success {
        case always
        /// It throws on the grounds that are named, or on all.
        case never(on: [Ground]?)
    }

    /// Makes the objects of a call, and makes it in a situation.
    typealias Body = @Sendable (Scene, (@escaping () throws -> Void) throws -> Void) throws -> Void

    /// The type and the method, as in the symbol graph: `Connection.run(_:_:)`.
    let name: String
    let scope: Scope
    var success: Success
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

    func mustSucceed(on ground: Ground) -> Bool {
        switch success {
        case .always: ground == .own || ground == .memory || ground == .outside
        case .never(let grounds):
            (ground == .own || ground == .memory || ground == .outside) && !(grounds?.contains(ground) ?? true)
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
        list.addStatementCalls()
        list.addRowCalls()
        list.addSessionCalls()
        list.addDatabaseCalls()
        list.addAccessCalls()
        list.addSchemaCalls()
        return list.calls
    }()

    mutating func begin(_ type: String) { self.type = type }

    mutating func add(
        _ name: String, _ scope: Call.Scope, _ success: Call.Success = .always, grounds: [Ground]? = nil,
        _ perform: @escaping Call.Body
    ) {
        calls.append(Call(name: "\(type).\(name)", scope: scope, success: success, grounds: grounds, perform: perform))
    }
}
