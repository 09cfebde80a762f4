import Foundation
import Squall
import Testing

/// Arithmetic and comparisons of numbers, of one type and of several.
struct NumberTests {
    let connection: Connection

    init() throws { connection = try Sale.database() }

    /// The values of an expression in the order of the sales.
    private func values<Value: ColumnStorable>(_ expression: (Columns<Sale>) -> Expr<Value>) throws -> [Value] {
        try connection.all(Sale.query.order { $0.id.ascending }.select(expression))
    }

    private func ids(_ condition: (Columns<Sale>) -> Condition) throws -> [Int] {
        try connection.all(Sale.where(condition).order { $0.id.ascending }).map(\.id)
    }

    @Test func aValueOnTheLeft() throws {
        #expect(Sale.sql { 10 - $0.count } == #"10 - "count""#)
        #expect(try values { 10 - $0.count } == [9, 8, 7, 5])
        #expect(try values { 2 * $0.price + 1 } == [21, 9, 6, 3])
        #expect(try values { 1 + $0.count } == [2, 3, 4, 6])
        let quotients: [Int?] = try values { 6 / ($0.count - 1) }
        #expect(quotients == [nil, 6, 3, 1])
    }

    @Test func aComparisonWithAValueOnTheLeft() throws {
        #expect(Sale.where { 2 < $0.count }.sql.text.hasSuffix(#"WHERE ? < "sales"."count""#))
        #expect(try ids { 2 < $0.count } == [3, 4])
        #expect(try ids { 2 <= $0.count } == [2, 3, 4])
        #expect(try ids { 2 > $0.count } == [1])
        #expect(try ids { 2 >= $0.count } == [1, 2])
        #expect(try ids { 2 == $0.count } == [2])
        #expect(try ids { "Oslo" != $0.place.city } == [2, 4])
        #expect(try ids { 1 < $0.count && $0.price < 4 && 4 > $0.count } == [3])
        let epoch = Date(timeIntervalSince1970: 0)
        #expect(try ids { epoch == $0.paid } == [1, 2, 3, 4])
    }

    @Test func theNegative() throws {
        #expect(Sale.sql { -$0.count } == #"-"count""#)
        #expect(try values { -$0.count } == [-1, -2, -3, -5])
        #expect(Sale.sql { -($0.count + 1) } == #"-("count" + 1)"#)
        // Two signs would be a comment.
        #expect(try values { -(-$0.count) } == [1, 2, 3, 5])
        #expect(try values { 1 - -$0.count } == [2, 3, 4, 6])
    }

    @Test func anIntegerAndARealGiveAReal() throws {
        let doubled: [Double] = try values { $0.count * 1.5 }
        #expect(doubled == [1.5, 3, 4.5, 7.5])
        #expect(Sale.sql { $0.count * 1.5 } == #""count" * 1.5"#)
        #expect(try values { $0.count * $0.price } == [10, 8, 7.5, 5])
        #expect(try values { $0.price - $0.count } == [9, 2, -0.5, -4])
        #expect(try values { 0.5 + $0.count } == [1.5, 2.5, 3.5, 5.5])
        #expect(try values { $0.count / 2.0 } == [0.5, 1, 1.5, 2.5])
        let quotients: [Double?] = try values { $0.price / ($0.count - 1) }
        #expect(quotients == [nil, 4, 1.25, 0.25])
        #expect(throws: SQLiteError.self) { try values { $0.count / 0.0 } }
    }

    @Test func anIntegerAndARealInEachOrder() throws {
        let sums: [Double] = try values { $0.count + $0.price }
        #expect(sums == [11, 6, 5.5, 6])
        #expect(try values { $0.price + $0.count } == sums)
        #expect(Sale.sql { $0.count + 0.5 } == #""count" + 0.5"#)
        #expect(try values { $0.count + 0.5 } == [1.5, 2.5, 3.5, 5.5])
        #expect(try values { $0.count - $0.price } == [-9, -2, 0.5, 4])
        #expect(Sale.sql { $0.count - 0.5 } == #""count" - 0.5"#)
        #expect(try values { $0.count - 0.5 } == [0.5, 1.5, 2.5, 4.5])
        #expect(Sale.sql { 1.5 * $0.count } == #"1.5 * "count""#)
        #expect(try values { 1.5 * $0.count } == [1.5, 3, 4.5, 7.5])
        #expect(try values { $0.price * $0.count } == [10, 8, 7.5, 5])
        let quotients: [Double?] = try values { 3.0 / ($0.count - 1) }
        #expect(quotients == [nil, 3, 1.5, 0.75])
    }

    @Test func aDivisionOfRealsIsOneForValuesThatAreIntegersInSQL() throws {
        // The column is untyped, so that it keeps INTEGER values.
        try connection.execute(
            "DROP TABLE sales; CREATE TABLE sales AS SELECT 1 AS id, 7 AS count, 3 AS price, 2 AS discount, '{}' AS choices"
        )
        #expect(Sale.sql { $0.price / $0.discount } == #""price" / CAST("discount" AS REAL)"#)
        #expect(try connection.all(Sale.select { $0.price / $0.discount }) == [1.5])
        #expect(Sale.sql { $0.price / ($0.discount + 1) } == #""price" / CAST("discount" + 1.0 AS REAL)"#)
        #expect(try connection.all(Sale.select { $0.count / $0.discount }) == [3.5])
        #expect(try connection.all(Sale.select { $0.discount / $0.count }) == [2.0 / 7])
        #expect(try connection.all(Sale.select { 3 / $0.discount }) == [1.5])
        #expect(try connection.all(Sale.select { $0.price / 2 }) == [1.5])
        // A cast and an average are REAL already.
        #expect(
            Sale.sql { $0.count / $0.large.cast(to: Double.self) } == #""count" / CAST("large" AS REAL)"#)
        #expect(Sale.sql { $0.price.sum() / $0.price.average() } == #"sum("price") / avg("price")"#)
        // Integers keep the division of integers.
        #expect(Sale.sql { $0.count / $0.id } == #""count" / "id""#)
    }

    @Test func aDivisionOfRealsInJSON() throws {
        try connection.run("UPDATE sales SET choices = '{\"a\": 3, \"b\": 2}'")
        let quotients = try connection.all(
            Sale.select { $0.choices["$.a", as: Double.self] / $0.choices["$.b", as: Double.self] })
        #expect(quotients.first == 1.5)
    }

    @Test func aMixedOperandThatIsOptionalGivesAnOptional() throws {
        try connection.run("UPDATE sales SET discount = 0.5 WHERE id = 2")
        let left: [Double?] = try values { $0.discount * $0.count }
        #expect(left == [nil, 1, nil, nil])
        let right: [Double?] = try values { $0.count.cast(to: Double.self) * $0.discount }
        #expect(right == left)
    }

    @Test func twoTypesOfIntegersGiveAnInteger() throws {
        try connection.run("UPDATE sales SET large = 9007199254740993 WHERE id = 1")
        let sums: [Int64] = try values { $0.count + $0.large }
        #expect(sums == [9_007_199_254_740_994, 4, 6, 10])
        #expect(try values { $0.large / $0.count }.first == 9_007_199_254_740_993)
    }

    @Test func aLiteralHasTheTypeOfAnIntegerColumn() throws {
        #expect(Sale.query.order { ($0.large + 1).descending }.sql.parameters == [.integer(1)])
        #expect(Sale.query.order { (1 - $0.large).descending }.sql.parameters == [.integer(1)])
        let halves = try values { $0.large / 2 }
        #expect(type(of: halves) == [Int64].self)
    }

    @Test func columnsOfAllNumericTypesAreCompared() throws {
        #expect(try ids { $0.count == $0.large } == [1, 2, 3, 4])
        #expect(try ids { $0.count < $0.price } == [1, 2])
        #expect(try ids { $0.price <= $0.large } == [3, 4])
        // SQLite compares exactly: as a Double, 2^53 + 1 would be equal.
        try connection.run("UPDATE sales SET large = 9007199254740993, price = 9007199254740992.0 WHERE id = 1")
        #expect(try ids { $0.large == $0.price } == [])
        #expect(try ids { $0.large > $0.price && $0.id == 1 } == [1])
    }

    @Test func theRemainderOfTwoColumns() throws {
        #expect(Sale.sql { $0.count % 3 } == #""count" % 3"#)
        #expect(try values { $0.count % 3 } == [1, 2, 0, 2])
        let remainders: [Int?] = try values { $0.count % ($0.id - 1) }
        #expect(remainders == [nil, 0, 1, 2])
        #expect(try values { $0.count.remainder(dividingBy: $0.id) } == [0, 0, 0, 1])
        #expect(throws: SQLiteError.self) { try values { $0.count % 0 } }
    }

    @Test func partsOfDatesInEveryForm() throws {
        let date = Date(timeIntervalSince1970: 1_795_379_696.5)  // 2026-11-22 20:34:56.5 UTC, a Sunday
        try connection.update(Sale.self) {
            $0.sold.set(to: date)
            $0.paid.set(to: date)
            $0.sent.set(to: date)
        } where: {
            $0.id == 1
        }
        #expect(Sale.sql { $0.sold.year } == #"CAST(strftime('%Y', "sold") AS INTEGER)"#)
        #expect(Sale.sql { $0.paid.year } == #"CAST(strftime('%Y', "paid" / 1000.0, 'unixepoch') AS INTEGER)"#)
        #expect(Sale.sql { $0.sent.year } == #"CAST(strftime('%Y', "sent", 'unixepoch') AS INTEGER)"#)
        for column in [\Sale.sold, \Sale.paid, \Sale.sent] {
            let parts = Sale.where { $0.id == 1 }.select {
                ($0[column].year, $0[column].month, $0[column].day, $0[column].hour, $0[column].minute)
            }
            let rows = try connection.all(parts).map { [$0, $1, $2, $3, $4] }
            #expect(rows == [[2026, 11, 22, 20, 34]])
            let others = Sale.where { $0.id == 1 }
                .select { ($0[column].second, $0[column].weekday, $0[column].dayOfYear) }
            #expect(try connection.all(others).map { [$0, $1, $2] } == [[56, 0, 326]])
            let month = Sale.where { $0.id == 1 }.select { $0[column].formatted("%Y-%m") }
            #expect(try connection.all(month) == ["2026-11"])
        }
        #expect(try ids { $0.sold.year == 2026 } == [1])
    }

    @Test func twoColumnsOfOneType() throws {
        #expect(Sale.sql { $0.count - $0.id } == #""count" - "id""#)
        let differences: [Int] = try values { $0.count - $0.id }
        #expect(differences == [0, 0, 0, 1])
    }

    @Test func anOptionalColumnMakesTheResultOptional() throws {
        try connection.run("UPDATE sales SET discount = 0.5 WHERE id = 2")
        #expect(Sale.sql { $0.price + $0.discount } == #""price" + "discount""#)
        let sums: [Double?] = try values { $0.price + $0.discount }
        #expect(sums == [nil, 4.5, nil, nil])
        let differences: [Double?] = try values { $0.price - $0.discount }
        #expect(differences == [nil, 3.5, nil, nil])
        let products: [Double?] = try values { $0.discount * $0.price }
        #expect(products == [nil, 2, nil, nil])
    }

    @Test func twoTypesOfIntegersAreSubtractedAndMultiplied() throws {
        #expect(Sale.sql { $0.large - $0.count } == #""large" - "count""#)
        let differences: [Int64] = try values { $0.large - $0.count }
        #expect(differences == [0, 0, 0, 0])
        #expect(Sale.sql { $0.large * $0.count } == #""large" * "count""#)
        let products: [Int64] = try values { $0.large * $0.count }
        #expect(products == [1, 4, 9, 25])
    }
}

/// SQL computes with stored values, so that a column in a form cannot be an operand.
struct ComputedFormTests {
    private struct Code: Initializable {
        var id = 0, number = 0, name = "", isOn = false
    }

    private static let hex = StorageForm<Int>(
        "hex", type: "TEXT", encode: { .text(String($0, radix: 16)) },
        decode: { String.fromSQLiteValue($0).flatMap { Int($0, radix: 16) } }
    )
    private static let reversed = StorageForm<String>(
        "reversed", type: "TEXT", encode: { .text(String($0.reversed())) },
        decode: { String.fromSQLiteValue($0).map { String($0.reversed()) } }
    )
    private static let letter = StorageForm<Bool>(
        "letter", type: "TEXT", encode: { .text($0 ? "Y" : "N") },
        decode: { String.fromSQLiteValue($0).map { $0 == "Y" } }
    )
    private let codes = Table("codes", Code.self) {
        Column("id", \Code.id, .primaryKey)
        Column("number", \Code.number, as: hex)
        Column("name", \Code.name, as: reversed)
        Column("isOn", \Code.isOn, as: letter)
    }
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(codes)
        try connection.table(codes).insert(Code(id: 1, number: 255, name: "Ada", isOn: true))
    }

    private func isRefused<Value: ColumnStorable>(_ expression: (Columns<Code>) -> Expr<Value>) -> Bool {
        let error = #expect(throws: SQLiteError.self) { try connection.all(codes.select(expression)) }
        return error?.message.contains("is stored in the form") == true && error?.message.contains(#""codes"."#) == true
    }

    @Test func aComputationWithAFormThrows() throws {
        #expect(isRefused { $0.number + 1 })
        #expect(isRefused { 1 + $0.number })
        #expect(isRefused { $0.id + $0.number })
        #expect(isRefused { $0.number * 1.5 })
        #expect(isRefused { 1.5 - $0.number })
        #expect(isRefused { $0.number / 2 })
        #expect(isRefused { $0.number % 2 })
        #expect(isRefused { -$0.number })
        #expect(isRefused { $0.number.absoluteValue })
        #expect(isRefused { $0.number.rounded() })
        #expect(isRefused { $0.number.sum() })
        #expect(isRefused { $0.number.average() })
        #expect(isRefused { $0.name.lowercased() })
        #expect(isRefused { $0.name.appending("x") })
        #expect(isRefused { $0.name.length })
        #expect(throws: SQLiteError.self) { try connection.all(codes.where { $0.name.like("A%") }.select { $0.id }) }
        #expect(throws: SQLiteError.self) { try connection.all(codes.where { $0.isOn.isTrue }.select { $0.id }) }
    }

    private struct Event: Equatable {
        let id: UUID
        let day: Date
        let end: Date?
    }

    @Test func theDefaultFormIsNone() throws {
        let plain = Table("plain", Event.init) {
            Column("id", \Event.id)
            Column("day", \Event.day)
            Column("end", \Event.end)
        }
        let named = Table("named", Event.init) {
            Column("id", \Event.id, as: .blob)
            Column("day", \Event.day, as: .text)
            Column("end", \Event.end, as: .text)
        }
        let event = Event(id: UUID(), day: Date(timeIntervalSince1970: 0), end: nil)
        try connection.create(plain)
        try connection.create(named)
        try connection.table(plain).insert(event)
        try connection.table(named).insert(event)
        let query = plain.query.join(named) { $0.id == $1.id && $0.day == $1.day }
        #expect(try connection.all(query.select { $1.day }) == [event.day])
        #expect(try connection.all(named.query) == [event])
        #expect(try connection.all(named.select { $0.day.year }) == [1970])
        #expect(try connection.query("SELECT typeof(id) || typeof(day) FROM named") == "blobtext")
    }

    @Test func comparisonsMinimaAndCastsTakeAForm() throws {
        #expect(try connection.all(codes.where { $0.number == 255 && 255 == $0.number }.select { $0.id }) == [1])
        #expect(try connection.all(codes.where { $0.isOn == true }.select { $0.name }) == ["Ada"])
        #expect(try connection.all(codes.select { $0.number.max() }) == [255])
        #expect(try connection.all(codes.select { $0.number.default(3) }) == [255])
        #expect(try connection.all(codes.select { $0.number.cast(to: String.self) }) == ["ff"])
        #expect(try connection.all(codes.select { $0.name.cast(to: String.self).appending("x") }) == ["adAx"])
    }
}
