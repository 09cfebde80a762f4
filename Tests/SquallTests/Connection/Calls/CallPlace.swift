import Squall
import Testing

/// A place where SQLite calls code of the user.
struct CallPlace: Sendable, CustomTestStringConvertible {
    /// The use of the connection that the code may make.
    enum Rule {
        /// Run statements, but not free what the call uses.
        case statements
        /// Nothing: every method throws an error that names the hook.
        case nothing
        /// The connection belongs to a backup.
        case claimed
        /// The connection is being closed.
        case closing
    }

    let name: String
    /// The function of SQLite that gets the code, or the member of a structure.
    let function: String
    var rule = Rule.statements
    var isOnDisk = false
    /// Makes SQLite call the code.
    let enter: @Sendable (CallScene) throws -> Void

    var testDescription: String { name }

    static let all = functions + tables + releases + search + hooks + changes

    /// A statement that calls the code.
    static func query(
        _ name: String, _ function: String, rule: Rule = .statements, _ sql: SQL,
        install: @escaping @Sendable (CallScene) throws -> Void
    ) -> CallPlace {
        CallPlace(name: name, function: function, rule: rule) { scene in
            try install(scene)
            try scene.run(sql)
        }
    }
}

// MARK: - Functions and collations

extension CallPlace {
    private static let create = "sqlite3_create_function_v2"

    static let functions: [CallPlace] = [
        query("a function", create, "SELECT calls(a) FROM t") { try addFunction(to: $0) },
        query("a function of a write", create, "UPDATE t SET b = calls(a)") { try addFunction(to: $0) },
        query("a function of a trigger", create, "UPDATE t SET b = 'new'") {
            try addFunction(to: $0)
            try $0.connection.execute("CREATE TRIGGER t_update AFTER UPDATE ON t BEGIN SELECT calls(new.a); END")
        },
        copied("VACUUM"), copied("REINDEX t_b"),
        copied("CREATE INDEX t_a_b ON t(b COLLATE calls)"),
        observed("INSERT INTO t(a) SELECT calls(a) FROM t"), observed("INSERT INTO t(a) VALUES(calls(1))"),
        observed("REPLACE INTO t(id, a) VALUES(1, calls(1))"), observed("UPDATE t SET a = calls(a)"),
        observed("UPDATE t SET a = 2 WHERE calls(id) = 2"), observed("UPDATE t SET id = calls(id) + 10"),
        observed("DELETE FROM t WHERE calls(id) = 2"), observed("UPDATE t SET b = 'w'", by: addCollation),
        query("the description of an error", create, "SELECT fails(a) FROM t") { scene in
            try scene.connection.addFunction("fails") { [unowned scene] (_: Int) -> Int in
                throw CallFailure { scene.call() }
            }
        },
        query("the step of an aggregate", create, "SELECT calls(a) FROM t") { scene in
            try scene.connection.addAggregate("calls", initial: 0) { [unowned scene] (_: inout Int, _: Int) in
                scene.call()
            } final: {
                $0
            }
        },
        query("the end of an aggregate", create, "SELECT calls(a) FROM t") { scene in
            try scene.connection.addAggregate("calls", initial: 0) { (_: inout Int, _: Int) in
            } final: { [unowned scene] state -> Int in
                scene.call()
                return state
            }
        },
        query("the state of an aggregate", create, "SELECT calls(a) FROM t") { scene in
            try scene.connection.addAggregate("calls", initial: [AnyObject]()) {
                [unowned scene] (objects: inout [AnyObject], _: Int) in
                objects.append(scene.releasing())
            } final: {
                $0.count
            }
        },
        query("the value of a window function", "sqlite3_create_window_function", window) { scene in
            try addWindowFunction(to: scene) { [unowned scene] in
                scene.call()
            } inverse: {
            }
        },
        query("the inverse of a window function", "sqlite3_create_window_function", window) { scene in
            try addWindowFunction(to: scene) {
            } inverse: { [unowned scene] in
                scene.call()
            }
        },
        query("a collation", "sqlite3_create_collation_v2", "SELECT a FROM t ORDER BY b COLLATE calls") { scene in
            try scene.connection.addCollation("calls") { [unowned scene] (left: String, right: String) in
                scene.call()
                return left < right ? .orderedAscending : .orderedDescending
            }
        },
        query(
            "a collation of bytes", "sqlite3_create_collation_v2", rule: .nothing,
            "SELECT a FROM t ORDER BY b COLLATE calls"
        ) { scene in
            try scene.connection.addCollation("calls") { [unowned scene] (left: Span<UInt8>, right: Span<UInt8>) in
                scene.call()
                return .orderedSame
            }
        },
    ]

    private static let window: SQL =
        "SELECT calls(a) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t"

    /// A write of rows that hooks observe, in a transaction that has changed the schema. SQLite passes the table of the rows to the hooks.
    private static func observed(
        _ sql: SQL, by install: @escaping @Sendable (CallScene) throws -> Void = { try addFunction(to: $0) }
    ) -> CallPlace {
        CallPlace(name: "\(sql.text), observed", function: create) { scene in
            try install(scene)
            try scene.connection.addPreUpdateObserver { change in
                if !CallScene.tables.contains(change.tableName) { Issue.record("a change of \(change.tableName)") }
            }
            scene.connection.addUpdateObserver { _, _, table, _ in
                if let table, !CallScene.tables.contains(table) { Issue.record("a change of \(table)") }
            }
            try scene.connection.execute("BEGIN; SAVEPOINT outer; CREATE TABLE earlier(a)")
            try scene.run(sql)
        }
    }

    /// A copy of the rows of a table to an index.
    private static func copied(_ sql: SQL) -> CallPlace {
        CallPlace(name: sql.text, function: "sqlite3_create_collation_v2") { scene in
            try addCollation(to: scene)
            try scene.connection.execute("CREATE INDEX t_b ON t(b COLLATE calls)")
            try scene.run(sql)
        }
    }

    /// Compares texts of an index.
    private static func addCollation(to scene: CallScene) throws {
        try scene.connection.addCollation("calls") { [unowned scene] (left: String, right: String) in
            scene.call()
            return left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
        }
        try scene.connection.execute("CREATE UNIQUE INDEX t_a ON t(id, b COLLATE calls)")
    }

    private static func addFunction(to scene: CallScene) throws {
        try scene.connection.addFunction("calls", directOnly: false, innocuous: true) {
            [unowned scene] (number: Int) -> Int in
            scene.call()
            return number
        }
    }

    private static func addWindowFunction(
        to scene: CallScene, value: @escaping () -> Void, inverse: @escaping () -> Void
    ) throws {
        try scene.connection.addWindowFunction("calls", initial: 0) { (state: inout Int, number: Int) in
            state += number
        } inverse: { (state: inout Int, number: Int) in
            inverse()
            state -= number
        } value: { state -> Int in
            value()
            return state
        }
    }
}
