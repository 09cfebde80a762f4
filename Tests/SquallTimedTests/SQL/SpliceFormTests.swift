#if os(Linux) || os(macOS)
    import Testing

    /// Injection is impossible by construction: SQL that a value may have been spliced into does not compile.
    @Suite(.enabled(if: Compiler.isThere, "no swiftc, or a sanitizer"), .timeLimit(.minutes(10)))
    struct SpliceFormTests {
        /// Lines that are wrong for another reason.
        private static let otherErrors = [
            "try c.run(\"SELECT ?\", holder)", "let _: Int = try c.query(\"SELECT ?\", holder)",
            "let _: Holder = try c.query(\"SELECT \\(x)\")", "try c.execute(5)",
            "_ = try c.prepare(\"SELECT ?\", [holder])",
        ]

        @Test func aStringDoesNotCompileAndALiteralIsSQL() throws {
            let strings = SpliceForms.stringLines
            let literals = SpliceForms.literalLines
            let lines = strings + Self.otherErrors + literals
            let found = Dictionary(
                grouping: try Compiler.diagnostics(SpliceForms.program(importing: "Squall", lines)).filter(\.isError)
            ) { $0.line - SpliceForms.firstLine }
            #expect(strings.count + literals.count > 306)
            for (index, line) in lines.enumerated() {
                let errors = found[index] ?? []
                if index < strings.count {
                    #expect(errors.count == 1, "\(line)")
                    #expect(
                        errors.first?.message.hasSuffix(
                            #"a String may splice: write a literal, `let sql: SQL = "…"`, or SQL(raw: text)"#) == true,
                        "\(line): \(errors.map(\.message))"
                    )
                } else if index < strings.count + Self.otherErrors.count {
                    #expect(!errors.isEmpty, "\(line)")
                    // One message explains both what a row becomes and splices.
                    #expect(
                        errors.allSatisfy {
                            !$0.message.contains("may splice") || $0.message.contains("rows become a value")
                        },
                        "\(line): \(errors.map(\.message))"
                    )
                } else {
                    #expect(errors.isEmpty, "\(line): \(errors.map(\.message))")
                }
            }
        }

        /// What the compiler has only `String` for is spliced there, and is the warning.
        @Test func withSQiftCompatibilityEveryPossibleSpliceIsOneWarning() throws {
            let strings = SpliceForms.strings.map { SpliceForms.line($0, SpliceForms.verbs[0]) }
            let literals = SpliceForms.verbs.map { $0.replacing("§", with: SpliceForms.literals[2]) }
            let operators = [#"let _ = try c.query("SELECT " + "\(x)") ?? 0"#]
            let lines = strings + operators + literals
            let found = try Compiler.diagnostics(SpliceForms.program(importing: "SQiftCompatibility", lines))
                .filter { $0.message.contains("splice") || $0.isError }
            let expected = (strings + operators).indices.map { $0 + SpliceForms.firstLine }
            #expect(found.map(\.line) == expected)
            #expect(found.allSatisfy { !$0.isError })
        }
    }
#endif
