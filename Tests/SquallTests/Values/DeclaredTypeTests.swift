import Foundation
import Squall
import Testing

/// A type says once how it is stored: columns, casts and errors follow.
@Suite struct DeclaredTypeTests {
    /// A number that is stored as INTEGER or REAL.
    private struct Amount: Binding {
        typealias BindingType = Any

        static var declaredType: String { "NUMERIC" }

        let value: Double

        var bindingValue: BindingValue { .real(value) }

        static func fromBindingValue(_ value: Any) -> Amount? { (value as? Double).map { Amount(value: $0) } }
    }

    @Test func `the standard types name the type of their columns`() {
        #expect(Int.declaredType == "INTEGER" && Bool.declaredType == "INTEGER")
        #expect(Double.declaredType == "REAL" && Float.declaredType == "REAL")
        #expect(String.declaredType == "TEXT" && Date.declaredType == "TEXT" && URL.declaredType == "TEXT")
        #expect(Decimal.declaredType == "TEXT")
        #expect(Data.declaredType == "BLOB" && [UInt8].declaredType == "BLOB" && UUID.declaredType == "BLOB")
        #expect(BindingValue.declaredType == "")
    }

    @Test func `a column has the type that its values declare`() throws {
        let connection = try Connection()
        let schema = Schema("test") {
            Version(1) {
                CreateTable("prices") {
                    ColumnDef("amount", Amount.self)
                    ColumnDef("former", Amount?.self)
                }
            }
        }
        try schema.migrate(connection)
        #expect(
            try connection.tableInfo("prices")?.sql.text
                == #"CREATE TABLE "prices"("amount" NUMERIC NOT NULL, "former" NUMERIC)"#)
    }
}
