import Foundation
import Squall
import SquallTestSupport
import Testing

/// Aggregates of Swift types.
struct AggregateTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE TABLE sales(city TEXT, price INTEGER, note TEXT);
            INSERT INTO sales VALUES('Oslo', 3, 'c'), ('Rome', 5, 'a'), ('Oslo', 4, NULL), ('Rome', 5, 'b'), ('Bern', 1, 'd')
            """
        )
    }

    private func addProduct() throws {
        try connection.addAggregate("product", initial: 1) { (product: inout Int, value: Int) in
            product *= value
        } final: { product in
            product
        }
    }

    @Test func anAggregateTakesAllRows() throws {
        try addProduct()
        #expect(try connection.query("SELECT product(price) FROM sales") == 300)
        #expect(
            try sqliteError { try connection.run("SELECT product(1, 2)") }.message.hasPrefix(
                "wrong number of arguments"))
    }

    @Test func eachGroupHasItsState() throws {
        try addProduct()
        let products: [Int] = try connection.query(
            "SELECT product(price) FROM sales GROUP BY city ORDER BY city")
        #expect(products == [1, 12, 25])
    }

    @Test func noRowsGiveTheInitialState() throws {
        try addProduct()
        #expect(try connection.query("SELECT product(price) FROM sales WHERE 0") == 1)
        let none: [Int] = try connection.query("SELECT product(price) FROM sales WHERE 0 GROUP BY city")
        #expect(none == [])
    }

    @Test func distinctAndFilterAreSQLites() throws {
        try addProduct()
        #expect(try connection.query("SELECT product(DISTINCT price) FROM sales") == 60)
        #expect(try connection.query("SELECT product(price) FILTER (WHERE city = 'Rome') FROM sales") == 25)
    }

    @Test func severalArgumentsAndNull() throws {
        try connection.addAggregate("notes", initial: [String]()) {
            (notes: inout [String], city: String, note: String?) in
            notes.append("\(city) \(note ?? "-")")
        } final: { notes in
            notes.isEmpty ? nil : notes.joined(separator: ", ")
        }
        #expect(try connection.query("SELECT notes(city, note) FROM sales WHERE price < 5") == "Oslo c, Oslo -, Bern d")
        #expect(try connection.query("SELECT notes(city, note) IS NULL FROM sales WHERE price > 5") == 1)
    }

    @Test func anAggregateMayHaveNoArguments() throws {
        try connection.addAggregate("rows", initial: 0) { (count: inout Int) in
            count += 1
        } final: {
            $0
        }
        #expect(try connection.query("SELECT rows() FROM sales") == 5)
    }

    @Test func aStepThatThrowsIsTheErrorAndItsStateGoes() throws {
        let counter = Counter()
        try connection.addAggregate("strict", initial: Counted(counter)) { (_: inout Counted, value: Int) in
            if value == 4 { throw SQLiteError(code: 1, message: "four") }
        } final: { _ in
            Issue.record("a group that has failed has no result")
            return 0
        }
        #expect(try sqliteError { try connection.run("SELECT strict(price) FROM sales") }.message == "four")
        #expect(counter.made == 1)
        #expect(counter.alive == 0)
        let wrong = try sqliteError { try connection.run("SELECT strict(note) FROM sales") }
        #expect(wrong.message == "strict(), argument 1: expected Int, found TEXT")
        #expect(counter.alive == 0)
    }

    @Test func anInitialStateOrAResultThatThrowsIsTheError() throws {
        func refused(_ text: String) throws -> Int { throw SQLiteError(code: 1, message: text) }
        try connection.addAggregate("a", initial: try refused("initial")) { (_: inout Int, _: Int) in
        } final: {
            $0
        }
        #expect(try sqliteError { try connection.run("SELECT a(price) FROM sales") }.message == "initial")
        #expect(try sqliteError { try connection.run("SELECT a(price) FROM sales WHERE 0") }.message == "initial")
        let counter = Counter()
        try connection.addAggregate("b", initial: Counted(counter)) { (_: inout Counted, _: Int) in
        } final: { _ in
            try refused("final")
        }
        #expect(try sqliteError { try connection.run("SELECT b(price) FROM sales") }.message == "final")
        #expect(counter.made == 1)
        #expect(counter.alive == 0)
    }

    @Test func theStatesOfAStatementThatEndsEarlyGo() throws {
        let counter = Counter()
        try connection.addAggregate("counted", initial: Counted(counter)) { (_: inout Counted, _: Int) in
        } final: { _ in
            1
        }
        let statement = try connection.prepare("SELECT city, counted(price) FROM sales GROUP BY city")
        #expect(try statement.step())
        #expect(try statement.step())
        try statement.reset()
        #expect(counter.made >= 2)
        #expect(counter.alive == 0)
        // The other half of the row fails in the middle of the group.
        #expect(throws: SQLiteError.self) {
            try connection.run("SELECT counted(price), sum(abs(-9223372036854775807 - (price = 4))) FROM sales")
        }
        #expect(counter.alive == 0)
    }

    @Test func aStateThatIsAnObjectIsMadeForEachGroup() throws {
        let counter = Counter()
        try connection.addAggregate("counted", initial: Counted(counter)) { (state: inout Counted, value: Int) in
            state.sum += value
        } final: { state in
            state.sum
        }
        let sums: [Int] = try connection.query("SELECT counted(price) FROM sales GROUP BY city ORDER BY city")
        #expect(sums == [1, 7, 10])
        #expect(counter.made == 3)
        #expect(counter.alive == 0)
    }

    @Test func largeStatesAndOnesThatAreAlignedAreKept() throws {
        try connection.addAggregate("wide", initial: SIMD8<Double>(repeating: 0)) {
            (sum: inout SIMD8<Double>, value: Double) in
            sum += SIMD8(repeating: value)
        } final: { sum in
            sum.sum()
        }
        #expect(try connection.query("SELECT wide(price) FROM sales") == 144.0)
    }

    @Test func aStepMayQueryTheSameAggregate() throws {
        try connection.addAggregate("nested", initial: 0) { [unowned connection] (sum: inout Int, value: Int) in
            if value > 0 { sum += try connection.query("SELECT nested(-price) FROM sales") }
            sum += value
        } final: { sum in
            sum
        }
        #expect(try connection.query("SELECT nested(price) FROM sales") == -72)
    }

    @Test func anAggregateIsNoWindowFunction() throws {
        try addProduct()
        let error = try sqliteError { try connection.run("SELECT product(price) OVER () FROM sales") }
        #expect(error.message == "product() may not be used as a window function")
    }
}
