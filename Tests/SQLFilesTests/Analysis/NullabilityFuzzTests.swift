import Foundation
import Squall
import Testing

@testable import SquallSQLFiles

/// Random queries on random rows: where a type says that no NULL arrives, none does, and values have their types.
struct NullabilityFuzzTests {
    @Test func promisesAreKept() throws {
        let seed =
            ProcessInfo.processInfo.environment["SQUALL_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0..<1_000_000)
        let rounds = ProcessInfo.processInfo.environment["SQUALL_ROUNDS"].flatMap { Int($0) } ?? 400
        print("NullabilityFuzzTests: seed \(seed)")
        let connection = try MatrixSchema.connection()
        let compiler = try StatementCompiler(connection, TestCatalog.read(connection)) { _ in nil }
        var queries = RandomSelect(seed: seed)
        var analysed = 0
        var broken: Set<String> = []
        for round in 0..<rounds {
            let sql = queries.next()
            let source = SourceText(path: "random.sql", text: sql)
            let statement: CompiledStatement
            do {
                statement = try compiler.compile(SourceStatement(text: sql, offset: 0), in: source, declared: [:])
            } catch let error as Diagnostic {
                // Misused aggregates and the like.
                if round < 0 { print(error) }
                continue
            }
            #expect(statement.syntax != nil, "\(sql)")
            guard !statement.results.isEmpty else { continue }
            analysed += 1
            for data in 0..<4 {
                try MatrixRows.fill(connection, seed: seed &+ UInt64(round * 4 + data))
                let rows = (try? connection.query(SQL(raw: statement.text.text)) { (row: Row) in row }) ?? [Row]()
                for row in rows {
                    for (index, result) in statement.results.enumerated() {
                        let found = row.storageClass(at: index)
                        if found == "null" {
                            if !result.value.isNullable { broken.insert("column \(index) is NULL: \(sql)") }
                        } else if let type = result.value.type, !type.stores(found), !row.hasOverflow(at: index) {
                            broken.insert("column \(index) is \(found), not \(type.name): \(sql)")
                        }
                    }
                }
            }
        }
        #expect(broken.isEmpty, "\(broken.sorted { $0.count < $1.count }.prefix(8).joined(separator: "\n"))")
        #expect(analysed > rounds / 3)
        print("analysed \(analysed) of \(rounds)")
    }
}

extension Row {
    fileprivate func storageClass(at index: Int) -> String {
        switch value(at: index) {
        case nil: "null"
        case is Int64: "integer"
        case is Double: "real"
        case is String: "text"
        default: "blob"
        }
    }
}

extension Row {
    /// Whether a value is an integer that was too large, which SQLite makes REAL.
    fileprivate func hasOverflow(at index: Int) -> Bool {
        (value(at: index) as? Double).map { abs($0) >= 0x1p63 && $0.isFinite } ?? false
    }
}

extension ValueType {
    fileprivate func stores(_ storageClass: String) -> Bool {
        switch self {
        case .int, .rowID, .bool: storageClass == "integer"
        case .double: storageClass == "real" || storageClass == "integer"
        case .string: storageClass == "text"
        case .data: storageClass == "blob"
        default: true
        }
    }
}
