import Foundation
import Squall
import Testing

/// `CASE`, and functions that choose between values.
struct CaseTests {
    let connection: Connection

    init() throws { connection = try Sale.database() }

    /// The values of an expression in the order of the sales.
    private func values<Value: ColumnStorable>(_ expression: (Columns<Sale>) -> Expr<Value>) throws -> [Value] {
        try connection.all(Sale.query.order { $0.id.ascending }.select(expression))
    }

    @Test func aCaseChoosesBetweenValues() throws {
        let expression = { (sale: Columns<Sale>) in Expr.when(sale.count < 3, then: "few").else("many") }
        #expect(Sale.sql(expression) == #"CASE WHEN "count" < 3 THEN 'few' ELSE 'many' END"#)
        #expect(try values(expression) == ["few", "few", "many", "many"])
    }

    @Test func aCaseChoosesBetweenExpressions() throws {
        #expect(
            Sale.sql { Expr.when($0.count < 3, then: $0.price).else($0.price * 2) }
                == #"CASE WHEN "count" < 3 THEN "price" ELSE "price" * 2.0 END"#)
        #expect(try values { Expr.when($0.count < 3, then: $0.price).else($0.price * 2) } == [10, 4, 5, 2])
        #expect(try values { Expr.when($0.count < 3, then: $0.price).else(0) } == [10, 4, 0, 0])
        #expect(try values { Expr.when($0.count < 3, then: 0).else($0.price) } == [0, 0, 2.5, 1])
    }

    @Test func withoutElseTheValueIsOptional() throws {
        let few: [String?] = try values { Expr.when($0.count < 3, then: "few").orNull }
        #expect(few == ["few", "few", nil, nil])
        #expect(
            Sale.sql { Expr.when($0.count < 3, then: $0.price).orNull } == #"CASE WHEN "count" < 3 THEN "price" END"#)
        let prices: [Double?] = try values { Expr.when($0.count < 3, then: $0.price).orNull }
        #expect(prices == [10, 4, nil, nil])
    }

    @Test func branchesAreAChain() throws {
        let expression = { (sale: Columns<Sale>) in
            Expr.when(sale.count < 2, then: "one").when(sale.count < 4, then: sale.place.city).else("many")
        }
        #expect(
            Sale.sql(expression)
                == #"CASE WHEN "count" < 2 THEN 'one' WHEN "count" < 4 THEN "city" ELSE 'many' END"#)
        #expect(try values(expression) == ["one", "Bergen", "Oslo", "many"])
        let open: [String?] = try values {
            Expr.when($0.count < 2, then: "one").when($0.count > 4, then: "many").orNull
        }
        #expect(open == ["one", nil, nil, "many"])
        #expect(try values { Expr.when($0.count < 2, then: "one").else($0.place.city) }.last == "Bergen")
    }

    @Test func theValuesOfACaseHaveTheFormOfItsColumns() throws {
        let day = Date(timeIntervalSince1970: 86_400)
        #expect(
            Sale.sql { Expr.when($0.count < 3, then: day).else($0.paid) }
                == #"CASE WHEN "count" < 3 THEN 86400000 ELSE "paid" END"#)
        #expect(try values { Expr.when($0.count < 3, then: day).else($0.paid) }.prefix(1) == [day])
        let mixed = Sale.select { Expr.when($0.count < 3, then: $0.sold).else($0.paid) }
        #expect(throws: SQLiteError.self) { try connection.all(mixed) }
    }

    @Test func aCaseCanBeACondition() throws {
        let query = Sale.where { Expr.when($0.count < 3, then: 1).else(2) == 2 && $0.place.city == "Oslo" }
        #expect(try connection.all(query).map(\.id) == [3])
    }

    @Test func theFirstValueThatIsNotNull() throws {
        try connection.run("UPDATE sales SET note = 'x' WHERE id = 2")
        #expect(Sale.sql { $0.note.default($0.place.city) } == #"ifnull("note", "city")"#)
        #expect(try values { $0.note.default($0.place.city) } == ["Oslo", "x", "Oslo", "Bergen"])
        let noted = { (sale: Columns<Sale>) in sale.note.coalesce(sale.note, sale.place.city.optional) }
        #expect(Sale.sql(noted) == #"coalesce("note", "note", "city")"#)
        #expect(try values(noted) == ["Oslo", "x", "Oslo", "Bergen"])
    }

    @Test func nullForAnEqualValue() throws {
        #expect(Sale.sql { $0.place.city.nullIf("Oslo") } == #"nullif("city", 'Oslo')"#)
        #expect(try values { $0.place.city.nullIf("Oslo") } == [nil, "Bergen", nil, "Bergen"])
        #expect(Sale.sql { $0.note.nullIf($0.place.city) } == #"nullif("note", "city")"#)
    }

    @Test func theLeastAndTheGreatestOfSeveral() throws {
        #expect(Sale.sql { Expr.min($0.count, $0.id, $0.id + 1) } == #"min("count", "id", "id" + 1)"#)
        #expect(try values { Expr.min($0.count, $0.id) } == [1, 2, 3, 4])
        #expect(try values { Expr.max($0.count, $0.id) } == [1, 2, 3, 5])
        #expect(throws: SQLiteError.self) { try connection.all(Sale.select { Expr.max($0.sold, $0.paid) }) }
    }
}
