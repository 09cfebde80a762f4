#if os(Linux) || os(macOS)
    import Testing

    /// Mistakes in recorded changes and in undo, and the compiler's messages.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct ChangeMisuseTests {
        private static let function = """
            (_ connection: Connection, _ database: Database, _ history: UndoHistory, _ changes: Changeset, \
            _ log: SyncLog, _ book: Book) async throws
            """

        private static let lines: [Misuses.Line] = [
            (#"try await history.write("add") { try $0.insert(book) }"#, nil),
            ("try history.undo()", "expression is 'async' but is not marked with 'await'"),
            ("try history.blocking.undo()", "leave out 'blocking', and write 'await'"),
            ("try await history.write { try $0.insert(book) }", "missing argument for parameter #1"),
            ("_ = try await UndoHistory(connection)", "'Connection' to expected argument type 'Database'"),
            (#"_ = try await UndoHistory(database, tables: "books")"#, "'String' to expected argument type '[String]'"),
            ("_ = try connection.recordChanges(in: Book.self) { try $0.insert(book) }", "'Book.Type' to expected"),
            (
                #"_ = try connection.recordChanges(in: ["books"]) { try $0.insert(book) }"#,
                "cannot pass array of type '[String]'"
            ),
            ("_ = try connection.recordChanges { try connection.insert(book) }", "expects 1 argument"),
            ("try connection.apply(changes) { .abort }", "expects 1 argument, which cannot be implicitly ignored"),
            ("try connection.apply(changes) { _ in .ignore }", "'Changeset.Answer' has no member 'ignore'"),
            ("for change in changes { print(change) }", "requires 'Changeset' to conform to 'Sequence'"),
            (
                #"try changes.forEach { let n: Int = $0.new["price"]; print(n) }"#,
                "'BindingValue?' to specified type 'Int'"
            ),
            ("try changes.forEach { print($0.new.price) }", "'ChangedValues' has no member 'price'"),
            ("try log.merge(changes, on: connection)", "'Changeset' to expected argument type 'SyncBatch'"),
            ("try log.record { try $0.insert(book) }", "missing argument for parameter 'on'"),
        ]

        @Test func usesAreExplained() throws {
            try Misuses(imports: ["SquallChanges"], function: Self.function).check(Self.lines)
        }
    }
#endif
