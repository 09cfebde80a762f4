import Squall
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

    @Test func twoValuesOfOneColumnCannotBeAssignedAtOnce() throws {
        #expect(throws: SQLiteError.self) {
            try connection.update(Sale.self) {
                $0.choices["$.theme", as: String.self].set(to: "blue")
                $0.choices["$.size", as: Int.self].set(to: 9)
            } where: {
                $0.id == 1
            }
        }
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
