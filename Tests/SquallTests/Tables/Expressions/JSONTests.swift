import Foundation
import Squall
import SquallTestSupport
import Testing

/// Columns that contain JSON.
struct JSONTests {
    let connection: Connection

    init() throws {
        connection = try Sale.database()
        try connection.update(Sale.self) {
            $0.choices.set(to: SaleChoices(theme: "dark", size: 3, isLoud: true))
            $0.tags.set(to: ["a", "b"])
            $0.last.set(to: SaleChoices(theme: "light"))
        } where: {
            $0.id == 1
        }
    }

    private func ids(_ condition: (Columns<Sale>) -> Condition) throws -> [Int] {
        try connection.all(Sale.where(condition).order { $0.id.ascending }).map(\.id)
    }

    private func value<Value: ColumnStorable>(_ expression: (Columns<Sale>) -> Expr<Value>) throws -> Value? {
        try connection.first(Sale.where { $0.id == 1 }.select(expression))
    }

    @Test func aValueByItsPath() throws {
        let query = Sale.where { $0.choices["$.theme", as: String.self] == "dark" }
        #expect(query.sql.text.hasSuffix(#"WHERE json_extract("sales"."choices", ?) = ?"#))
        #expect(query.sql.parameters == [.text("$.theme"), .text("dark")])
        #expect(try connection.all(query).map(\.id) == [1])
        #expect(try ids { $0.choices["$.theme", as: String.self] == nil } == [2, 3, 4])
        #expect(try ids { $0.choices["$.size", as: Int.self] > 2 } == [1])
        #expect(try value { $0.choices["$.size", as: Double.self] } == 3.0)
        #expect(try value { $0.choices["$.isLoud", as: Bool.self] } == true)
        #expect(try value { $0.choices["$.isLoud", as: Int.self] } == 1)
        #expect(try value { $0.tags["$", as: String.self] } == #"["a","b"]"#)
        #expect(try value { $0.last["$.theme", as: String.self] } == "light")
    }

    @Test func anArrayContainsAValue() throws {
        let query = Sale.where { $0.tags.contains("b") }
        #expect(
            query.sql.text.hasSuffix(#"WHERE EXISTS (SELECT 1 FROM json_each("sales"."tags") WHERE value = ?)"#))
        #expect(try connection.all(query).map(\.id) == [1])
        #expect(try ids { $0.tags.contains("c") || !$0.tags.contains("a") } == [2, 3, 4])
    }

    private struct File: TableRecord {
        let id: Int
        let bytes: [UInt8]
        let data: Data?
        let levels: [UInt8]

        static let table = Table("files", File.init) {
            Column("id", \File.id, .primaryKey)
            Column("bytes", \File.bytes)
            Column("data", \File.data)
            Column("levels", \File.levels, as: .json)
        }
    }

    @Test func bytesAreNotAnArray() throws {
        try connection.create(File.table)
        try connection.insert(File(id: 1, bytes: [1, 2], data: Data([1]), levels: [1, 2]))
        #expect(try connection.all(File.where { $0.levels.contains(2) }.select { $0.id }) == [1])
        for query in [File.where { $0.bytes.contains(2) }, File.where { $0.data.contains(1) }] {
            let error = try sqliteError { _ = try connection.count(query) }
            guard case .notJSON(let sql)? = error.problem(ExpressionProblem.self) else { throw error }
            #expect([#""files"."bytes""#, #""files"."data""#].contains(sql))
        }
    }

    @Test func theLengthAndTheTypeOfJSON() throws {
        #expect(Sale.sql { $0.tags.jsonArrayLength() } == #"json_array_length("tags")"#)
        #expect(try value { $0.tags.jsonArrayLength() } == 2)
        #expect(Sale.sql { $0.choices.jsonType("$.size") } == #"json_type("choices", '$.size')"#)
        #expect(try value { $0.choices.jsonType("$.size") } == "integer")
        #expect(try value { $0.choices.jsonType() } == "object")
        #expect(try value { $0.choices.jsonArrayLength("$.none") } == .some(nil))
    }

    @Test func oneValueIsAssigned() throws {
        let expected = SaleChoices(theme: "blue", size: 3, isLoud: true)
        try connection.update(Sale.self) {
            $0.choices["$.theme", as: String.self].set(to: "blue")
        } where: {
            $0.id == 1
        }
        #expect(try connection.find(Sale.self, 1)?.choices == expected)
        // A Bool stays one, also from an expression, and NULL is the `null` of JSON.
        for isLoud in [true, false] {
            try connection.update(Sale.self) {
                $0.choices["$.isLoud", as: Bool.self].set(to: isLoud)
            } where: {
                $0.id == 1
            }
            #expect(try connection.find(Sale.self, 1)?.choices.isLoud == isLoud)
        }
        try connection.update(Sale.self) {
            $0.choices["$.isLoud", as: Bool.self].set(to: $0.last["$.isLoud", as: Bool.self].default(true))
        } where: {
            $0.id == 1
        }
        try connection.update(Sale.self) {
            $0.choices["$.theme", as: String.self].set(to: nil)
        } where: {
            $0.id == 1
        }
        try connection.update(Sale.self) {
            $0.choices["$.size", as: Int.self].set(to: $0.choices["$.size", as: Int.self] + 1)
        } where: {
            $0.id == 1
        }
        #expect(try connection.find(Sale.self, 1)?.choices == SaleChoices(theme: nil, size: 4, isLoud: false))
    }

    @Test func severalPathsOfOneColumnAreOneAssignment() throws {
        let log = Log()
        connection.traceStatements { log.add($0) }
        try connection.update(Sale.self) {
            $0.choices["$.theme", as: String.self].set(to: "blue")
            $0.count.set(to: 7)
            $0.choices["$.size", as: Int.self].set(to: $0.choices["$.size", as: Int.self] + 1)
        } where: {
            $0.id == 1
        }
        #expect(
            log.take() == [
                #"UPDATE "sales" SET "choices" = json_set("sales"."choices", '$.theme', 'blue', "#
                    + #"'$.size', json_extract("sales"."choices", '$.size') + 1), "count" = 7 WHERE "sales"."id" = 1"#
            ])
        let sale = try connection.find(Sale.self, 1)
        #expect(sale?.choices == SaleChoices(theme: "blue", size: 4, isLoud: true))
        #expect(sale?.count == 7)
    }

    @Test func severalPathsOfOneColumnAreOneAssignmentInAnUpsert() throws {
        var sale = Sale()
        sale.id = 1
        sale.choices.size = 8
        let log = Log()
        connection.traceStatements { log.add($0) }
        try connection.upsert(sale) {
            $0.choices["$.theme", as: String.self].set(to: "blue")
            $0.choices["$.size", as: Int.self].set(to: $0.excluded.choices["$.size", as: Int.self])
        }
        #expect(
            log.take().first?.hasSuffix(
                #"DO UPDATE SET "choices" = json_set("sales"."choices", '$.theme', 'blue', "#
                    + #"'$.size', json_extract("excluded"."choices", '$.size'))"#) == true)
        #expect(try connection.find(Sale.self, 1)?.choices == SaleChoices(theme: "blue", size: 8, isLoud: true))
    }

    @Test func onePathOrOneColumnCannotBeAssignedTwice() throws {
        let lists: [(Columns<Sale>) -> [Assignment]] = [
            { [$0.choices["$.size", as: Int.self].set(to: 1), $0.choices["$.size", as: Int.self].set(to: 2)] },
            { [$0.choices["$.size", as: Int.self].set(to: 1), $0.choices.set(to: SaleChoices())] },
            { [$0.choices.set(to: SaleChoices()), $0.choices["$.size", as: Int.self].set(to: 1)] },
        ]
        for list in lists {
            let error = #expect(throws: SQLiteError.self) {
                try connection.update(
                    Sale.self, set: { for assignment in list($0) { assignment } }, where: { $0.id == 1 })
            }
            #expect(error?.kind == .problem(ExpressionProblem.assignedTwice(column: "choices")))
        }
        let error = #expect(throws: SQLiteError.self) {
            try connection.upsert(Sale()) {
                $0.count.set(to: 1)
                $0.count.set(to: 2)
            }
        }
        #expect(error?.kind == .problem(ExpressionProblem.assignedTwice(column: "count")))
    }

    private func setNumber(_ assignment: (Expr<Double?>, Columns<Sale>) -> Assignment) throws -> String? {
        try connection.update(Sale.self) {
            assignment($0.choices["$.number", as: Double.self], $0)
        } where: {
            $0.id == 1
        }
        return try connection.query("SELECT choices -> '$.number' FROM sales WHERE id = 1")
    }

    @Test func aDoubleKeepsItsDigitsInJSON() throws {
        let numbers: [(Double, String)] = [
            (0.1 + 0.2, "0.30000000000000004"), (1e300, "1e+300"), (-0.0, "-0.0"), (3, "3.0"),
            (.leastNonzeroMagnitude, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ]
        for (number, text) in numbers {
            #expect(try setNumber { field, _ in field.set(to: number) } == text)
            #expect(try value { $0.choices["$.number", as: Double.self] } == number)
        }
        #expect(try setNumber { field, _ in field.set(to: nil) } == "null")
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func aNumberThatJSONDoesNotHaveIsRefused(number: Double) throws {
        let error = #expect(throws: SQLiteError.self) { try setNumber { field, _ in field.set(to: number) } }
        #expect(error?.kind == .unstorable(type: "Double", reason: .notInJSON))
        #expect(try value { $0.choices["$.number", as: Double.self] } == .some(nil))
    }

    @Test func aRealOfAnExpressionIsSetInJSON() throws {
        #expect(try setNumber { field, sale in field.set(to: sale.price / 4) } == "2.5")
        #expect(try setNumber { field, sale in field.set(to: sale.discount) } == "null")
        #expect(try setNumber { field, _ in field.set(sql: "1.5") } == "1.5")
        #expect(throws: SQLiteError.self) { try setNumber { field, _ in field.set(sql: "9e999") } }
    }

    @Test func aColumnOfAnyTypeIsAssignedAndComparedInItsForm() throws {
        let choices = SaleChoices(theme: "dark", size: 3, isLoud: true)
        #expect(try ids { $0.choices == choices } == [1])
        #expect(try ids { $0.choices != choices } == [2, 3, 4])
        #expect(try ids { $0.last == nil } == [2, 3, 4])
        #expect(try ids { $0.last != nil && $0.last == SaleChoices(theme: "light") } == [1])
        #expect(try ids { $0.tags == ["a", "b"] } == [1])
        try connection.update(Sale.self) {
            $0.last.set(to: nil)
        } where: {
            $0.id == 1
        }
        #expect(try ids { $0.last == nil } == [1, 2, 3, 4])
    }

    @Test func invalidJSONIsAnErrorOfSQLite() throws {
        try connection.run("UPDATE sales SET choices = '{' WHERE id = 2")
        let error = #expect(throws: SQLiteError.self) {
            try connection.all(Sale.select { $0.choices["$.theme", as: String.self] })
        }
        #expect(error?.message == "malformed JSON")
    }
}
