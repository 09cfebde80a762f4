import Squall
import Testing

/// Window functions and filters of aggregates.
struct WindowTests {
    let connection: Connection

    init() throws { connection = try Sale.database() }

    /// The values of an expression in the order of the sales: Oslo 1, Bergen 2, Oslo 3, Bergen 5.
    private func values<Value: ColumnStorable>(_ expression: (Columns<Sale>) -> Expr<Value>) throws -> [Value] {
        let pairs = Sale.query.order { $0.id.ascending }.select { ($0.id, expression($0)) }
        return try connection.all(pairs).map(\.1)
    }

    @Test func anAggregateOverAPartition() throws {
        let sum = { (sale: Columns<Sale>) in sale.count.sum().over(partition: sale.place.city, order: sale.id.ascending)
        }
        #expect(Sale.sql(sum) == #"sum("count") OVER (PARTITION BY "city" ORDER BY "id" ASC)"#)
        #expect(try values(sum) == [1, 2, 4, 7])
        #expect(Sale.sql { $0.count.sum().over() } == #"sum("count") OVER ()"#)
        #expect(try values { $0.count.sum().over() } == [11, 11, 11, 11])
        #expect(try values { $0.price.average().over(partition: $0.place.city) } == [6.25, 2.5, 6.25, 2.5])
        #expect(try values { $0.count.total().over(partition: $0.place.city) } == [4, 7, 4, 7])
        #expect(try values { $0.count.min().over(partition: $0.place.city) } == [1, 2, 1, 2])
        #expect(try values { $0.count.max().over(partition: $0.place.city) } == [3, 5, 3, 5])
        #expect(try values { $0.note.count().over() } == [0, 0, 0, 0])
        #expect(try values { $0.count.groupConcat().over(order: $0.id.ascending) } == ["1", "1,2", "1,2,3", "1,2,3,5"])
        #expect(try values { AggregateFunction.rowCount.over(partition: $0.place.city) } == [2, 2, 2, 2])
    }

    @Test func severalPartitionsAndOrders() throws {
        let number = { (sale: Columns<Sale>) in
            Expr.rowNumber().over(
                partition: sale.place.city, sale.count % 2, order: sale.price.descending.nullsLast, sale.id.ascending)
        }
        #expect(
            Sale.sql(number) == """
                row_number() OVER (PARTITION BY "city", ("count" % 2) ORDER BY "price" DESC NULLS LAST, "id" ASC)
                """
        )
        #expect(try values(number) == [1, 1, 2, 1])
    }

    @Test func frames() throws {
        func sql(_ frame: WindowFrame) -> String {
            Sale.sql { $0.count.sum().over(order: $0.id.ascending, frame: frame) }
        }
        func sums(_ frame: WindowFrame) throws -> [Int?] {
            try values { $0.count.sum().over(order: $0.id.ascending, frame: frame) }
        }
        let start = #"sum("count") OVER (ORDER BY "id" ASC "#
        #expect(sql(.rows(from: .preceding(1))) == start + "ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)")
        #expect(try sums(.rows(from: .preceding(1))) == [1, 3, 5, 8])
        #expect(
            sql(.rows(from: .currentRow, to: .unboundedFollowing))
                == start + "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)")
        #expect(try sums(.rows(from: .currentRow, to: .unboundedFollowing)) == [11, 10, 8, 5])
        #expect(
            sql(.range(from: .unboundedPreceding, to: .following(1.5)))
                == start + "RANGE BETWEEN UNBOUNDED PRECEDING AND 1.5 FOLLOWING)")
        #expect(try sums(.range(from: .unboundedPreceding, to: .following(1.5))) == [3, 6, 11, 11])
        #expect(sql(.groups(from: .preceding(1))) == start + "GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW)")
        #expect(try sums(.groups(from: .preceding(1))) == [1, 3, 5, 8])
        let all = WindowFrame.rows(from: .unboundedPreceding, to: .unboundedFollowing)
        #expect(try sums(all.excluding(.currentRow)) == [10, 9, 8, 6])
        #expect(sql(all.excluding(.group)).hasSuffix("UNBOUNDED FOLLOWING EXCLUDE GROUP)"))
        #expect(sql(all.excluding(.ties)).hasSuffix("UNBOUNDED FOLLOWING EXCLUDE TIES)"))
        #expect(try sums(all.excluding(.ties)) == [11, 11, 11, 11])
    }

    @Test func ranks() throws {
        try connection.run("UPDATE sales SET count = 2 WHERE id = 3")  // 1, 2, 2, 5
        #expect(Sale.sql { Expr.rank().over(order: $0.count.ascending) } == #"rank() OVER (ORDER BY "count" ASC)"#)
        #expect(try values { Expr.rank().over(order: $0.count.ascending) } == [1, 2, 2, 4])
        #expect(try values { Expr.denseRank().over(order: $0.count.ascending) } == [1, 2, 2, 3])
        #expect(try values { Expr.percentRank().over(order: $0.count.ascending) } == [0, 1.0 / 3, 1.0 / 3, 1])
        #expect(try values { Expr.cumeDist().over(order: $0.count.ascending) } == [0.25, 0.75, 0.75, 1])
        #expect(Sale.sql { Expr.ntile(2).over(order: $0.id.ascending) } == #"ntile(2) OVER (ORDER BY "id" ASC)"#)
        #expect(try values { Expr.ntile(2).over(order: $0.id.ascending) } == [1, 1, 2, 2])
    }

    @Test func valuesOfOtherRows() throws {
        #expect(
            Sale.sql { $0.count.lag().over(order: $0.id.ascending) } == #"lag("count", 1) OVER (ORDER BY "id" ASC)"#)
        let before: [Int?] = try values { $0.count.lag().over(order: $0.id.ascending) }
        #expect(before == [nil, 1, 2, 3])
        let orZero: [Int] = try values { $0.count.lag(2, default: 0).over(order: $0.id.ascending) }
        #expect(orZero == [0, 0, 1, 2])
        #expect(try values { $0.count.lead().over(order: $0.id.ascending) } == [2, 3, 5, nil])
        #expect(try values { $0.count.lead(default: 9).over(order: $0.id.ascending) } == [2, 3, 5, 9])
        #expect(try values { $0.count.firstValue().over(order: $0.id.descending) } == [5, 5, 5, 5])
        #expect(try values { $0.count.lastValue().over(order: $0.id.ascending) } == [1, 2, 3, 5])
        #expect(try values { $0.count.nthValue(2).over(order: $0.id.ascending) } == [nil, 2, 2, 2])
    }

    @Test func theValuesOfOtherRowsKeepTheirForm() throws {
        let sale = try #require(try connection.find(Sale.self, 1))
        #expect(try values { $0.paid.lag(default: sale.paid).over(order: $0.id.ascending) }.first == sale.paid)
        #expect(try values { $0.choices.count().over() } == [4, 4, 4, 4])
    }

    @Test func aFilterOfAnAggregate() throws {
        let query = Sale.select { $0.count.sum().filter(where: $0.place.city == "Oslo") }
        #expect(query.sql.text.contains(#"sum("sales"."count") FILTER (WHERE "sales"."city" = ?)"#))
        #expect(try connection.all(query) == [4])
        let both = Sale.query.group { $0.place.city }
            .having { $0.count.sum().filter(where: $0.count > 2) < 4 }.select { $0.place.city }
        #expect(try connection.all(both) == ["Oslo"])
        let running = try values {
            $0.count.sum().filter(where: $0.count != 2).over(order: $0.id.ascending)
        }
        #expect(running == [1, 1, 4, 9])
        #expect(
            try connection.all(Sale.select { AggregateFunction.rowCount.filter(where: $0.count > $0.price) }) == [2])
    }
}
