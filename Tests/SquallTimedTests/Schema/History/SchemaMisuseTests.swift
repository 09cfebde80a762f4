#if os(Linux) || os(macOS)
    import Testing

    /// Mistakes in the versions of a schema, and the compiler's messages.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct SchemaMisuseTests {
        private static let step =
            "a version has steps: `CreateTable`, `AlterTable` with changes of columns in it, or `Execute(\"…\")` with SQL"
        private static let change = "write `AddColumn`, `ChangeColumn`, `RenameColumn`, `DropColumn`, or another change"
        private static let defaultOfOtherType =
            "a default has the type of the column; an expression is `.default(sql: \"…\")`"

        /// Steps of a version.
        private static let steps: [Misuses.Line] = [
            (#"CreateTable("t") { ColumnDef("a", Int.self, .default(3)) }"#, nil),
            (#""CREATE TABLE t(a)""#, step),
            ("Book.table", step),
            (#"AddColumn("a", Int.self)"#, step),
            (#"ColumnDef("a", Int.self)"#, step),
            (#"AlterTable("t") { ColumnDef("a", Int.self) }"#, change),
            (#"AlterTable("t") { "ADD COLUMN a" }"#, change),
            (#"AlterTable("t") { AddColumn("a", Int.self, fillingWith: 3) }"#, "to expected argument type 'SQL'"),
            (#"AlterTable("t") { RenameColumn("a", "b") }"#, "missing argument label 'to:'"),
            ("CreateTable(Book.self)", "'Book.Type' to expected argument type 'TableDefinition'"),
            (
                #"CreateTable("t") { Column("a", Int.self) }"#,
                "'Column<Record, Value>' to expected argument type 'ColumnDef'"
            ),
            (#"CreateTable("t") { ColumnDef("a", Pair.self) }"#, "requires that 'Pair' conform to"),
            (#"CreateTable("t") { ColumnDef("a", Int.self, .default("3")) }"#, defaultOfOtherType),
            (#"CreateTable("t") { ColumnDef("a", Int.self).notNull() }"#, "'ColumnDef' has no member 'notNull'"),
            ("DropTable(Book.self)", "'Book.Type' to expected argument type 'String'"),
            (#"CreateIndex("i", on: "t", columns: ["a"])"#, "extraneous argument label 'columns:'"),
            (#"Execute { $0.execute("DELETE FROM t") }"#, "call can throw, but it is not marked with 'try'"),
            (#"try connection.execute("DELETE FROM t")"#, "cannot find 'connection' in scope"),
        ]

        @Test func stepsAreExplained() throws {
            let versions = Self.steps.enumerated()
                .map {
                    (#"let s\#($0.offset) = Schema("s") { Version(1) { \#($0.element.line) } }"#, $0.element.message)
                }
            try Misuses(function: nil)
                .check(
                    versions + [
                        (
                            #"let a = Schema("s") { CreateTable("t") { ColumnDef("a", Int.self) } }"#,
                            "'CreateTable' to expected argument type 'Version'"
                        ),
                        (#"let b = Schema("s") { Version("1") {} }"#, "'String' to expected argument type 'Int'"),
                    ])
        }
    }
#endif
