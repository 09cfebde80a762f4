#if os(Linux) || os(macOS)
    import Testing

    /// Mistakes in the use of a store, and the compiler's messages.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct StoreMisuseTests {
        private static let function =
            "(_ store: any SQLStore, _ connection: Connection, _ book: Book) async throws"

        private static let lines: [Misuses.Line] = [
            ("_ = try await store.read { try await $0.all(Book.self) }", nil),
            (
                "_ = try await store.read { try $0.all(Book.self) }",
                "expression is 'async' but is not marked with 'await'"
            ),
            ("try await store.write { await $0.insert(book) }", "call can throw, but it is not marked with 'try'"),
            ("_ = try await store.all(Book.self)", "value of type 'any SQLStore' has no member 'all'"),
            ("try await store.transaction { _ in }", "value of type 'any SQLStore' has no member 'transaction'"),
            ("let _: any SQLStore = connection", "'Connection' does not conform to specified type 'SQLStore'"),
        ]

        @Test func usesAreExplained() throws {
            try Misuses(imports: ["SquallStore"], function: Self.function).check(Self.lines)
        }
    }
#endif
