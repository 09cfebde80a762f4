#if os(Linux) || os(macOS)
    import SquallTestSupport
    import Testing

    /// Verbs that block do not compile in asynchronous code, and the message names the verb to use there.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct BlockingMisuseTests {
        /// Each call with the verbs of its message.
        private static let verbs: [(call: String, verb: String, advice: String)] = [
            ("try database.executeRead { try $0.run(\"SELECT 1\") }", "executeRead", "use 'read'"),
            (
                "try database.executeWrite { try $0.run(\"VACUUM\") }", "executeWrite",
                "use 'write', or 'writeWithoutTransaction'"
            ),
            ("try database.transaction { try $0.run(\"SELECT 1\") }", "transaction", "use 'write'"),
            ("try database.close()", "close", "use 'shutDown()'"),
            ("_ = try database.readSnapshot()", "readSnapshot", "use 'snapshot'"),
            ("try schema.migrate(database)", "migrate", "use 'migrate' of the database"),
            ("try snapshot.executeRead { try $0.run(\"SELECT 1\") }", "executeRead", "use 'read'"),
        ]

        /// Returns a function whose body has one call a line, from line 3 on.
        private static func program(_ effects: String, _ line: (String) -> String) -> String {
            """
            import Squall
            func use(_ database: Database, _ snapshot: ReadSnapshot, _ schema: Schema) \(effects) {
            \(verbs.map { line($0.call) }.joined(separator: "\n"))
            }
            func blocking(_ body: () throws -> Void) rethrows { try body() }
            """
        }

        private static func message(_ verb: (call: String, verb: String, advice: String)) -> String {
            "instance method '\(verb.verb)' is unavailable from asynchronous contexts; "
                + "blocks a thread that tasks share: \(verb.advice)"
        }

        @Test func theyDoNotCompileInAnAsynchronousFunction() throws {
            let found = try Compiler.diagnostics(Self.program("async throws") { $0 })
            #expect(found.map(\.line) == Array(3..<3 + Self.verbs.count))
            #expect(found.map(\.message) == Self.verbs.map(Self.message))
            #expect(found.allSatisfy { $0.isError })
        }

        @Test func theyDoNotCompileInATaskEither() throws {
            let found = try Compiler.diagnostics(Self.program("") { "Task { \($0) }" })
            #expect(found.map(\.line) == Array(3..<3 + Self.verbs.count))
            #expect(found.map(\.message) == Self.verbs.map(Self.message))
        }

        @Test func theyCompileInSynchronousCode() throws {
            #expect(try Compiler.check(Self.program("throws") { $0 }) == "")
        }

        @Test func theyCompileInASynchronousClosureOfAnAsynchronousFunction() throws {
            #expect(try Compiler.check(Self.program("async throws") { "try blocking { \($0) }" }) == "")
            let inside = Self.program("async throws") { "try await database.write { _ in \($0) }" }
            #expect(try Compiler.check(inside) == "")
        }

        @Test func theirCounterpartsCompileThere() throws {
            let source = """
                import Squall
                func use(_ database: Database, _ snapshot: ReadSnapshot, _ schema: Schema) async throws {
                    try await database.read { try $0.run("SELECT 1") }
                    try await database.write { try $0.run("SELECT 1") }
                    try await database.writeWithoutTransaction { try $0.run("VACUUM") }
                    try await snapshot.read { try $0.run("SELECT 1") }
                    _ = try await database.snapshot()
                    try await database.migrate(schema)
                    try await database.shutDown()
                }
                """
            #expect(try Compiler.check(source) == "")
        }
    }
#endif
