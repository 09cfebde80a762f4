import Squall
import SquallSearch

// MARK: - Full-text search and spatial search

extension CallPlace {
    static let search: [CallPlace] = [
        CallPlace(name: "the making of a tokenizer", function: "xCreateTokenizer", rule: .nothing) { scene in
            try scene.connection.addTokenizer(
                "calls",
                makingWith: { [unowned scene] _ in
                    scene.call()
                    return emitOne
                })
            try scene.run("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'calls')")
        },
        CallPlace(name: "a tokenizer", function: "xCreateTokenizer", rule: .nothing) { scene in
            try addTokenizer(to: scene) { [unowned scene] in scene.call() }
            try scene.run("INSERT INTO texts VALUES('word')")
        },
        CallPlace(name: "a tokenizer of a query", function: "xCreateTokenizer", rule: .nothing) { scene in
            try addTokenizer(to: scene) { [unowned scene] in scene.call() }
            try scene.run("SELECT rowid FROM texts('word')")
        },
        CallPlace(name: "the release of a tokenizer", function: "xCreateTokenizer", rule: .nothing) { scene in
            try scene.connection.addTokenizer(
                "calls",
                makingWith: { [unowned scene] _ in
                    let object = scene.releasing()
                    return { _, _, emit in try withExtendedLifetime(object) { try emit(0..<1) } }
                })
            try scene.connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'calls')")
            try scene.run("DROP TABLE texts")
        },
        CallPlace(name: "the release of a tokenizer, by close", function: "xCreateTokenizer", rule: .closing) { scene in
            do {
                let object = scene.releasing()
                try scene.connection.addTokenizer(
                    "calls", makingWith: { _ in withExtendedLifetime(object) { emitOne } })
            }
            try scene.whileArmed { scene.connection.close() }
        },
        matches("a search function", "SELECT calls(texts) FROM texts('word')") { scene in
            try scene.connection.addSearchFunction("calls") { [unowned scene] _ in
                scene.call()
                return 1
            }
        },
        matches("a ranking function", "SELECT rowid FROM texts('word') ORDER BY calls(texts)") { scene in
            try scene.connection.addRankingFunction("calls") { [unowned scene] match in
                scene.call()
                return match.bm25()
            }
        },
        CallPlace(name: "a row of a phrase", function: "xQueryPhrase") { scene in
            try scene.connection.addSearchFunction("calls") { [unowned scene] match in
                try match.forEachRow(ofPhrase: 0) { _ in
                    scene.call()
                    return true
                }
                return 1
            }
            try scene.connection.execute(
                "CREATE VIRTUAL TABLE texts USING fts5(text); INSERT INTO texts VALUES('word'), ('a word')")
            try scene.run("SELECT calls(texts) FROM texts('word')")
        },
        matches("the state of a search", rule: .nothing, "SELECT calls(texts) FROM texts('word')") { scene in
            try scene.connection.addSearchFunction("calls") { [unowned scene] match in
                try match.withQueryState(initial: scene.releasing()) { _ in 1 }
            }
        },
        CallPlace(name: "the release of a search function, by close", function: "xCreateFunction", rule: .closing) {
            scene in
            do {
                let object = scene.releasing()
                try scene.connection.addSearchFunction("calls") { _ in withExtendedLifetime(object) { 1 } }
            }
            try scene.whileArmed { scene.connection.close() }
        },
        spatial("the making of a spatial test") { scene in
            try scene.connection.addSpatialFunction("calls") { [unowned scene] in
                scene.call()
                return { _ in .inside }
            }
        },
        spatial("a spatial test") { scene in
            try scene.connection.addSpatialFunction("calls") { [unowned scene] in
                { [unowned scene] _ in
                    scene.call()
                    return .inside
                }
            }
        },
        spatial("the release of a spatial test", rule: .nothing) { scene in
            try scene.connection.addSpatialFunction("calls") { [unowned scene] in
                let object = scene.releasing()
                return { _ in withExtendedLifetime(object) { .inside } }
            }
        },
        CallPlace(
            name: "the release of a spatial function", function: "sqlite3_rtree_query_callback", rule: .nothing
        ) { scene in
            do {
                let object = scene.releasing()
                try scene.connection.addSpatialFunction("calls") {
                    withExtendedLifetime(object) {}
                    return { _ in .inside }
                }
            }
            try scene.whileArmed { try scene.connection.removeFunction(named: "calls", argumentCount: -1) }
        },
    ]

    private static var emitOne: Connection.Tokenizer { { _, _, emit in try emit(0..<1) } }

    private static func addTokenizer(to scene: CallScene, _ called: @escaping () -> Void) throws {
        try scene.connection.addTokenizer("calls") { (_: Span<UInt8>, _, emit: borrowing TokenEmitter) in
            called()
            try emit(0..<1)
        }
        try scene.connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'calls')")
    }

    private static func matches(
        _ name: String, rule: Rule = .statements, _ sql: SQL, _ install: @escaping @Sendable (CallScene) throws -> Void
    ) -> CallPlace {
        query(name, "xCreateFunction", rule: rule, sql) { scene in
            try scene.connection.execute(
                "CREATE VIRTUAL TABLE texts USING fts5(text); INSERT INTO texts VALUES('word'), ('a word')")
            try install(scene)
        }
    }

    private static func spatial(
        _ name: String, rule: Rule = .statements, _ install: @escaping @Sendable (CallScene) throws -> Void
    ) -> CallPlace {
        query(
            name, "sqlite3_rtree_query_callback", rule: rule, "SELECT id FROM boxes WHERE id MATCH calls()"
        ) { scene in
            try scene.connection.execute(
                "CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1); INSERT INTO boxes VALUES(1, 0, 1), (2, 2, 3)")
            try install(scene)
        }
    }
}
