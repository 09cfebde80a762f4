import Foundation
import Squall
import SquallTestSupport
import Testing

@testable import SquallSQLFiles

/// Random queries on random rows: where a type says that no NULL arrives, none does, and values have their types.
struct NullabilityFuzzTests {
    @Test func promisesAreKept() throws {
        let seed = TestSeed.of()
        let rounds = ProcessInfo.processInfo.environment["SQUALL_ROUNDS"].flatMap { Int($0) } ?? 400
        let connection = try MatrixSchema.connection()
        let compiler = try StatementCompiler(connection, CatalogReader(connection).catalog())
        var queries = RandomSelect(generator: seed.generator())
        var analysed = 0
        var broken: Set<String> = []
        for round in 0..<rounds {
            let sql = queries.next()
            let source = SourceText(path: "random.sql", text: sql)
            let statement: CompiledStatement
            do {
                statement = try compiler.compile(SourceText.Excerpt(text: sql, offset: 0), in: source, declared: [:])
            } catch is Diagnostic {
                // An aggregate in a place that SQLite refuses, and the like.
                continue
            }
            #expect(statement.syntax != nil, "\(sql)")
            guard !statement.results.isEmpty else { continue }
            analysed += 1
            for data in 0..<4 {
                try MatrixRows.fill(connection, seed.generator(1 + round * 4 + data))
                broken.formUnion(PromiseCheck(compiler).broken(statement))
            }
        }
        #expect(broken.isEmpty, "\(broken.sorted { $0.count < $1.count }.prefix(8).joined(separator: "\n"))")
        #expect(analysed > rounds / 3)
        print("analysed \(analysed) of \(rounds)")
    }
}
