#if os(Linux) || os(macOS)
    import SquallTestSupport
    import Testing

    /// Verbs that block do not compile in asynchronous code, and the message names the verb to use there.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct BlockingMisuseTests {
        private static let calls = [
            "try database.blocking.read { try $0.run(\"SELECT 1\") }",
            "try database.blocking.write { try $0.run(\"SELECT 1\") }",
            "try database.blocking.writeWithoutTransaction { try $0.run(\"VACUUM\") }",
            "try database.blocking.close()",
            "_ = try database.blocking.snapshot()",
            "try database.blocking.migrate(schema)",
            "try snapshot.blocking.read { try $0.run(\"SELECT 1\") }",
        ]

        private static let message =
            "property 'blocking' is unavailable from asynchronous contexts; "
            + "blocks a thread that tasks share: leave out 'blocking', and write 'await'"

        /// Returns a function whose body has one call a line, from line 3 on.
        private static func program(_ effects: String, _ line: (String) -> String) -> String {
            """
            import Squall
            func use(_ database: Database, _ snapshot: ReadSnapshot, _ schema: Schema) \(effects) {
            \(calls.map(line).joined(separator: "\n"))
            }
            func blocking(_ body: () throws -> Void) rethrows { try body() }
            """
        }

        @Test func theyDoNotCompileInAnAsynchronousFunction() throws {
            let found = try Compiler.diagnostics(Self.program("async throws") { $0 })
            #expect(found.map(\.line) == Array(3..<3 + Self.calls.count))
            #expect(found.allSatisfy { $0.message == Self.message })
            #expect(found.allSatisfy { $0.isError })
        }

        @Test func theyDoNotCompileInATaskEither() throws {
            let found = try Compiler.diagnostics(Self.program("") { "Task { \($0) }" })
            #expect(found.map(\.line) == Array(3..<3 + Self.calls.count))
            #expect(found.allSatisfy { $0.message == Self.message })
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
                    try await database.close()
                }
                """
            #expect(try Compiler.check(source) == "")
        }
    }
#endif
