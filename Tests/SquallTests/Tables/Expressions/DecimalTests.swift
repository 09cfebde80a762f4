import Foundation
import Squall
import Testing

/// Columns of `Decimal`, whose text SQLite compares for equality, and orders by its characters.
struct DecimalTests {
    struct Item: TableRecord, Equatable {
        let id: Int
        let price: Decimal
        let offer: Decimal?
        let fee: Fee

        static let table = Table("items", Item.init) {
            Column("id", \Item.id, .primaryKey)
            Column("price", \Item.price)
            Column("offer", \Item.offer)
            Column("fee", \Item.fee)
        }
    }

    struct Fee: RawRepresentable, Binding, Equatable {
        let rawValue: Decimal
    }

    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(Item.table)
        for (id, price, offer) in [
            (1, Decimal(100), nil), (2, Decimal(9), Decimal(8)), (3, Decimal(1999) / 100, nil),
        ] {
            try connection.insert(Item(id: id, price: price, offer: offer, fee: Fee(rawValue: price)))
        }
    }

    private func isRefused(_ query: some Selection) -> Bool {
        let error = #expect(throws: SQLiteError.self) { try connection.all(query) }
        guard case .computedForm(let sql, _)? = error?.problem(ExpressionProblem.self) else { return false }
        return sql.hasPrefix(#""items"."#) && error?.hint == "`cast(to: Double.self)` makes it a binary number"
    }

    private func ids(_ condition: (Columns<Item>) -> Condition) throws -> [Int] {
        try connection.all(Item.where(condition).order { $0.id.ascending }).map(\.id)
    }

    @Test func equalityIsExact() throws {
        let price = Decimal(1999) / 100
        #expect(try ids { $0.price == price } == [3])
        #expect(try ids { price != $0.price } == [1, 2])
        #expect(try ids { $0.price.in([price, 9]) } == [2, 3])
        #expect(try ids { $0.offer == nil || $0.price == $0.offer } == [1, 3])
        #expect(try ids { $0.fee == Fee(rawValue: 9) } == [2])
        let counts = try connection.all(Item.select { ($0.price.count(distinct: true), $0.price.groupConcat()) })
        #expect(counts.map(\.0) == [3])
    }

    @Test func aComparisonOfTheirOrderThrows() {
        let limit = Decimal(20)
        #expect(isRefused(Item.where { $0.price < limit }))
        #expect(isRefused(Item.where { $0.price <= limit }))
        #expect(isRefused(Item.where { $0.price > limit }))
        #expect(isRefused(Item.where { $0.price >= limit }))
        #expect(isRefused(Item.where { limit < $0.price }))
        #expect(isRefused(Item.where { limit <= $0.price }))
        #expect(isRefused(Item.where { limit > $0.price }))
        #expect(isRefused(Item.where { limit >= $0.price }))
        #expect(isRefused(Item.where { $0.price < $0.offer }))
        #expect(isRefused(Item.where { $0.offer > $0.price }))
        #expect(isRefused(Item.where { $0.price.between(1, and: 20) }))
        #expect(isRefused(Item.where { $0.fee < Fee(rawValue: limit) }))
    }

    @Test func anOrderOfRowsThrows() {
        #expect(isRefused(Item.order { $0.price.ascending }))
        #expect(isRefused(Item.order { $0.price }))
        #expect(isRefused(Item.order { ($0.id, $0.offer) }))
        #expect(isRefused(Item.order { $0.offer.descending.nullsLast }))
        #expect(isRefused(Item.select { Expr.rowNumber().over(order: $0.price.ascending) }))
    }

    @Test func aComputationThrows() {
        #expect(isRefused(Item.select { $0.price.min() }))
        #expect(isRefused(Item.select { $0.offer.max() }))
        #expect(isRefused(Item.select { $0.price.sum() }))
        #expect(isRefused(Item.select { $0.price.average() }))
        #expect(isRefused(Item.select { $0.price.total() }))
        #expect(isRefused(Item.select { Expr.min($0.price, $0.price) }))
        #expect(isRefused(Item.select { $0.price + 1 }))
        #expect(isRefused(Item.select { 2 * $0.price }))
        #expect(isRefused(Item.select { $0.price - $0.offer }))
        #expect(isRefused(Item.select { $0.price / $0.price }))
        #expect(isRefused(Item.select { -$0.price }))
        #expect(throws: SQLiteError.self) { try connection.sum(\Item.price) }
        #expect(throws: SQLiteError.self) { try connection.max(\Item.offer) }
        #expect(throws: SQLiteError.self) { try connection.average(\Item.price) }
        #expect(throws: SQLiteError.self) { try connection.total(\Item.price) }
    }

    @Test func aCastComputesWithBinaryNumbers() throws {
        let query = Item.where { $0.price.cast(to: Double.self) < 20 }.order {
            $0.price.cast(to: Double.self).ascending
        }
        #expect(
            query.sql.debugDescription.hasSuffix(
                #"WHERE CAST("items"."price" AS REAL) < 20.0 ORDER BY CAST("items"."price" AS REAL) ASC"#))
        #expect(try connection.all(query).map(\.id) == [2, 3])
        #expect(try connection.all(Item.select { $0.price.cast(to: Double.self).max() }) == [100])
    }

    @Test func aStorageFormDecidesTheOrder() throws {
        let cents = StorageForm<Decimal>(
            "cents", type: "INTEGER", encode: { .integer(NSDecimalNumber(decimal: $0 * 100).int64Value) },
            decode: { Int64.fromSQLiteValue($0).map { Decimal($0) / 100 } })
        struct Price: Equatable { let id: Int, amount: Decimal }
        let prices = Table("prices", Price.init) {
            Column("id", \Price.id, .primaryKey)
            Column("amount", \Price.amount, as: cents)
        }
        try connection.create(prices)
        for (id, amount) in [(1, 100), (2, 9), (3, 20)] {
            try connection.table(prices).insert(Price(id: id, amount: Decimal(amount)))
        }
        #expect(try connection.all(prices.where { $0.amount < 50 }.order { $0.amount.descending }).map(\.id) == [3, 2])
        #expect(try connection.all(prices.select { $0.amount.max() }) == [100])
    }
}
