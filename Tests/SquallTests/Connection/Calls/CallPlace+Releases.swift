import Squall

// MARK: - The release of objects that SQLite keeps

extension CallPlace {
    static let releases: [CallPlace] = [
        release("auxiliary data at the end", "sqlite3_set_auxdata") { scene in
            try addAuxiliaryFunction(to: scene) { [unowned scene] call in
                if call.auxiliaryObject(at: 0) == nil { call.setAuxiliaryObject(scene.releasing(), at: 0) }
            }
            try scene.run("SELECT calls('constant') FROM t")
        },
        release("auxiliary data that is replaced", "sqlite3_set_auxdata") { scene in
            try addAuxiliaryFunction(to: scene) { [unowned scene] call in
                call.setAuxiliaryObject(scene.releasing(), at: 0)
            }
            try scene.run("SELECT calls('constant') FROM t")
        },
        release("a function that is replaced", "sqlite3_create_function_v2") { scene in
            try addFunction(to: scene)
            try scene.whileArmed { try scene.connection.addFunction("kept") { 2 } }
        },
        release("a function that is removed", "sqlite3_create_function_v2") { scene in
            try addFunction(to: scene)
            try scene.whileArmed { try scene.connection.removeFunction(named: "kept", argumentCount: 0) }
        },
        release("a function, by close", "sqlite3_create_function_v2", rule: .closing) { scene in
            try addFunction(to: scene)
            try scene.whileArmed { scene.connection.close() }
        },
        release("a window function that is removed", "sqlite3_create_window_function") { scene in
            try addWindowFunction(to: scene)
            try scene.whileArmed { try scene.connection.removeFunction(named: "kept", argumentCount: 1) }
        },
        release("a collation that is removed", "sqlite3_create_collation_v2") { scene in
            try addCollation(to: scene)
            try scene.whileArmed { try scene.connection.removeCollation(named: "kept") }
        },
        release("a collation, by close", "sqlite3_create_collation_v2", rule: .closing) { scene in
            try addCollation(to: scene)
            try scene.whileArmed { scene.connection.close() }
        },
        release("a module that is replaced", "sqlite3_create_module_v2") { scene in
            try addModule(to: scene)
            try scene.whileArmed { try scene.connection.register(named: "kept") { _ in EmptyTable() } }
        },
        release("a module, while a statement is compiled", "sqlite3_create_module_v2") { scene in
            try addModule(to: scene)
            try scene.connection.run("SELECT a FROM kept")
            try scene.whileArmed {
                // SQLite 3.40 releases it with the removal, 3.53 with the next statement.
                try scene.connection.removeModule(named: "kept")
                try scene.connection.run("SELECT 1 FROM other")
            }
        },
        release("a module, by close", "sqlite3_create_module_v2", rule: .closing) { scene in
            try addModule(to: scene)
            try scene.connection.run("SELECT a FROM kept")
            try scene.whileArmed { scene.connection.close() }
        },
        release("a table that is dropped", "xDestroy") { scene in
            try createTable(in: scene)
            try scene.run("DROP TABLE v")
        },
        release("a table whose creation is rolled back", "xDisconnect") { scene in
            try register(.table, in: scene)
            try scene.connection.execute("BEGIN; CREATE VIRTUAL TABLE v USING calls")
            try scene.whileArmed { try scene.connection.execute("ROLLBACK; SELECT 1 FROM other") }
        },
        release("a table whose schema is read again", "xDisconnect") { scene in
            try createTable(in: scene)
            try scene.whileArmed { try scene.connection.execute("PRAGMA writable_schema = RESET; SELECT 1 FROM other") }
        },
        release("a table whose database is detached", "xDisconnect") { scene in
            try register(.table, in: scene)
            try scene.connection.execute("CREATE VIRTUAL TABLE second.v USING calls")
            try scene.whileArmed { try scene.connection.execute("DETACH second; SELECT 1 FROM other") }
        },
        release("a table whose module is removed", "xDisconnect") { scene in
            try register(.table, in: scene)
            try scene.connection.run("SELECT value FROM calls")
            try scene.whileArmed {
                try scene.connection.removeModule(named: "calls")
                try scene.connection.run("SELECT 1 FROM other")
            }
        },
        release("a table, by close", "xDisconnect", rule: .closing) { scene in
            try createTable(in: scene)
            try scene.whileArmed { scene.connection.close() }
        },
        release("a table of the destination of a backup", "xDisconnect", rule: .claimed) { scene in
            try createTable(in: scene)
            try scene.whileArmed { try Connection(":memory:").backup(to: scene.connection).run() }
        },
        // Squall releases them when they have ended.
        release("the rows of a scan", "xNext", rule: .statements) { scene in
            try register(.scan, in: scene)
            try scene.run("SELECT value FROM calls")
        },
        release("the rows of a scan that is ended", "xClose") { scene in
            try register(.scan, in: scene)
            try scene.run("SELECT value FROM calls LIMIT 1")
        },
    ]

    private static func release(
        _ name: String, _ function: String, rule: Rule = .nothing,
        _ enter: @escaping @Sendable (CallScene) throws -> Void
    ) -> CallPlace {
        CallPlace(name: "the release of \(name)", function: function, rule: rule, enter: enter)
    }

    private static func createTable(in scene: CallScene) throws {
        try register(.table, in: scene)
        // A statement of the cache would keep the table.
        try scene.connection.execute("CREATE VIRTUAL TABLE v USING calls; SELECT value FROM v")
    }

    private static func addFunction(to scene: CallScene) throws {
        let object = scene.releasing()
        try scene.connection.addFunction("kept") { withExtendedLifetime(object) { 1 } }
    }

    private static func addWindowFunction(to scene: CallScene) throws {
        let object = scene.releasing()
        try scene.connection.addWindowFunction("kept", initial: 0) { (_: inout Int, _: Int) in
        } inverse: { (_: inout Int, _: Int) in
        } value: { _ in
            withExtendedLifetime(object) { 1 }
        }
    }

    private static func addCollation(to scene: CallScene) throws {
        let object = scene.releasing()
        try scene.connection.addCollation("kept") { (_: String, _: String) in
            withExtendedLifetime(object) { .orderedSame }
        }
    }

    private static func addModule(to scene: CallScene) throws {
        let object = scene.releasing()
        try scene.connection.register(named: "kept") { _ in withExtendedLifetime(object) { EmptyTable() } }
    }
}

/// Adds a function that returns 1 after a closure has used the call.
private func addAuxiliaryFunction(to scene: CallScene, _ use: @escaping (FunctionCall) -> Void) throws {
    try scene.connection.addFunction(
        "calls", argumentCount: 1, flags: FunctionFlags(deterministic: false, directOnly: false, innocuous: false),
        call: { call in
            use(call)
            try 1.bind(to: call.result)
        })
}
