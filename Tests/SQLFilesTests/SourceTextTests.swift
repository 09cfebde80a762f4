import Testing

@testable import SquallSQLFiles

struct SourceTextTests {
    @Test func placesCountLinesAndBytesFromOne() {
        let source = SourceText(path: "a.sql", text: "SELECT\r\n  'é', x\n")
        #expect(source.location(at: 0).description == "a.sql:1:1")
        #expect(source.location(at: 8).description == "a.sql:2:1")
        #expect(source.location(at: 16).description == "a.sql:2:9")
        #expect(source.location(at: 18).description == "a.sql:3:1")
    }

    @Test func aDiagnosticIsALineOfACompiler() {
        let place = SourceLocation(file: "a.sql", line: 3, column: 8)
        #expect(
            Diagnostic(.error, "no such column: prize", at: place).description
                == "a.sql:3:8: error: no such column: prize")
    }
}
