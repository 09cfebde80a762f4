import Foundation
import Squall
import Testing

@testable import SquallSQLFiles

struct TypesTests {
    @Test func everyCase() throws {
        let connection = try MatrixSchema.connection()
        let compiler = try StatementCompiler(connection, TestCatalog.read(connection)) { _ in nil }
        let lines = try String(contentsOfFile: "/tmp/cases.txt", encoding: .utf8).split(separator: "\n")
        for line in lines {
            do { print("CASE \(line) → \(try MatrixSchema.types(of: String(line), compiler))") } catch {
                print("CASE \(line) !! \(error)")
            }
        }
    }
}
