#if os(Linux) || os(macOS)
    import Testing

    /// Mistakes in the use of a database by tasks, and the compiler's messages.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct DatabaseMisuseTests {
        private static let function = """
            (_ database: Database, _ connection: Connection, _ schema: Schema, _ book: Book, _ text: String) \
            async throws
            """
        private static let asynchronousClosure = "async throws -> ()' to parameter expecting synchronous function type"
        private static let blocking = "blocks a thread that tasks share: leave out 'blocking', and write 'await'"

        private static let lines: [Misuses.Line] = [
            // Opening
            (#"_ = try Database(path: "app.db")"#, "extraneous argument label 'path:'"),
            (#"_ = Database("app.db")"#, "call can throw but is not marked with 'try'"),
            (#"_ = try Database(URL(filePath: "app.db"))"#, "'URL' to expected argument type 'String'"),
            ("_ = try Database(.inMemory)", "type 'String' has no member 'inMemory'"),
            (#"_ = try Database("app.db", configuration: .default)"#, "type 'Configuration' has no member 'default'"),
            (#"_ = try Database(storageLocation: .file("app.db"))"#, "type 'StorageLocation' has no member 'file'"),
            (#"_ = try Database("app.db", readonly: true)"#, "extra argument 'readonly' in call"),
            ("_ = Database.shared", "type 'Database' has no member 'shared'"),
            // Waiting
            ("_ = try database.read { try $0.all(Book.self) }", "expression is 'async' but is not marked with 'await'"),
            ("_ = await database.read { try $0.all(Book.self) }", "call can throw but is not marked with 'try'"),
            ("_ = try await database.read { $0.all(Book.self) }", "call can throw, but it is not marked with 'try'"),
            ("_ = try database.blocking.read { try $0.all(Book.self) }", blocking),
            (
                "try await schema.migrate(database)",
                "blocks a thread that tasks share: 'await database.migrate(schema)'"
            ),
            ("try await database.write { _ in try await Task.sleep(for: .seconds(1)) }", asynchronousClosure),
            ("try await database.write { _ in try await database.read { _ in } }", asynchronousClosure),
            (
                "try await database.write { try $0.transaction { await Task.yield() } }",
                "to parameter expecting synchronous function type"
            ),
            (
                "try await database.write { try $0.savepoint { try await Task.sleep(for: .seconds(1)) } }",
                asynchronousClosure
            ),
            // Verbs of a connection
            ("_ = try await database.all(Book.self)", "value of type 'Database' has no member 'all'"),
            ("try await database.insert(book)", "value of type 'Database' has no member 'insert'"),
            ("try await database.transaction { _ in }", "value of type 'Database' has no member 'transaction'"),
            ("_ = try await database.executeRead { _ in }", "value of type 'Database' has no member 'executeRead'"),
            // What leaves a closure
            ("_ = try await database.read { $0 }", "type 'Connection' does not conform to the 'Sendable' protocol"),
            (
                #"_ = try await database.read { try $0.prepare("SELECT 1") }"#,
                "'Statement' does not conform to the 'Sendable'"
            ),
            (
                #"_ = try await database.read { try $0.query("SELECT 1") as [Row] }"#,
                "'Row' does not conform to the 'Sendable'"
            ),
            (
                "var held: Connection?; try await database.read { held = $0 }; _ = held",
                "mutation of captured var 'held'"
            ),
            (
                "var count = 0; try await database.write { _ in count += 1 }; _ = count",
                "mutation of captured var 'count'"
            ),
            (
                #"try await database.write { _ in try connection.run("DELETE FROM books") }"#,
                "capture of 'connection' with non-Sendable type 'Connection'"
            ),
            // Observation
            ("for try await v in database.observe(Book.self) { print(v) }", "cannot convert value of type 'Book.Type'"),
            (
                "for try await v in database.observe(Book.query) { print(v) }",
                "cannot convert value of type 'Query<Columns<Book>>'"
            ),
            (
                #"for try await v in database.observe("SELECT 1") { print(v) }"#,
                "'@Sendable (Connection) throws -> Value'"
            ),
            (
                "for try await v in database.observe(text, as: Int.self) { print(v) }",
                "'String' to expected argument type 'SQL'"
            ),
            (
                "for v in database.observe({ try $0.all(Book.self) }) { print(v) }",
                "for-in loop requires 'ObservedValues<[Book]>' to conform to 'Sequence'"
            ),
            (
                "for try await v in database.observe({ $0 }) { print(v) }",
                "'Connection' does not conform to the 'Sendable'"
            ),
            (
                "for try await v in database.observeDifferences({ try $0.all(Book.self) }) { print(v) }",
                "missing argument for parameter 'keyedBy'"
            ),
            (
                #"for await c in database.changes(in: "books") { print(c) }"#,
                "to expected argument type 'DatabaseRegion'"
            ),
            ("for try await v in connection.observe({ _ in 3 }) { print(v) }", "'Connection' has no member 'observe'"),
            ("_ = Live(database) { try $0.all(Book.self) }", "main actor-isolated initializer"),
        ]

        @Test func usesAreExplained() throws { try Misuses(function: Self.function).check(Self.lines) }

        /// Lines whose types are right.
        private static let flows: [Misuses.Line] = [
            ("_ = try connection.all(Book.self) { if book.isRead { $0.id == 1 } }", "missing return in closure"),
            ("_ = try connection.all(Book.self) { book in book.pages > 3; book.id == 1 }", "missing return in closure"),
            (
                "let _: Int = try await database.read { let n = try $0.count(Book.self); print(n) }",
                "missing return in closure"
            ),
            (#"Task { try connection.run("DELETE FROM books") }"#, "risks causing data races"),
            (#"try await database.write { c in Task { try c.run("DELETE FROM books") } }"#, "risks causing data races"),
            (
                "async let n = connection.count(Book.self); _ = try await n",
                "sending 'connection' risks causing data races"
            ),
        ]

        @Test func flowsAreExplained() throws { try Misuses(function: Self.function, stage: .flow).check(Self.flows) }
    }
#endif
