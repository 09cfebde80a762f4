import SquallTestSupport
import Testing

@testable import Squall

/// The differences between the successive values of an array.
@Suite(.timeLimit(.minutes(10)))
struct ObservedDifferencesTests {
    private struct Car: Codable, Equatable {
        let id: Int
        let name: String
        let price: Int?
    }

    @Test func differences() async throws {
        let cars = try ObservedDatabase()
        var differences = cars.database.observeDifferences(keyedBy: \.id) {
            try $0.query("SELECT id, name, price FROM cars ORDER BY name") as [Car]
        }.makeAsyncIterator()
        #expect(try await differences.next()?.inserted.map(\.name) == ["Audi", "Skoda", "Volvo"])
        try cars.write(
            "UPDATE cars SET price = 1 WHERE id = 2; DELETE FROM cars WHERE id = 1; INSERT INTO cars VALUES(4, 'Fiat', 3)"
        )
        let difference = try await differences.next()
        #expect(difference?.inserted == [Car(id: 4, name: "Fiat", price: 3)])
        #expect(difference?.removed == [Car(id: 1, name: "Audi", price: 50_000)])
        #expect(difference?.updated == [Car(id: 2, name: "Skoda", price: 1)])
        #expect(difference?.elements.map(\.id) == [4, 2, 3])
    }

    /// Another order is no difference, and is left out.
    @Test func anotherOrder() async throws {
        let cars = try ObservedDatabase()
        var differences = cars.database.observeDifferences(keyedBy: \.self) {
            try $0.query("SELECT name FROM cars ORDER BY price") as [String]
        }.makeAsyncIterator()
        #expect(try await differences.next()?.inserted == ["Skoda", "Volvo", "Audi"])
        try cars.write("UPDATE cars SET price = 1 WHERE id = 1")
        async let next = differences.next()
        try await cars.database.write { try $0.run("DELETE FROM cars WHERE id = 2") }
        #expect(try await next?.removed == ["Skoda"])
    }

    /// Of elements with the same key, the first one counts.
    @Test(
        arguments: [
            ([], ["a1", "a2"], ["a1"], [], []),
            (["a1"], ["a1", "a2"], [], [], []),
            (["a1", "a2"], ["a2"], [], [], ["a2"]),
            (["a1", "a2", "b1"], ["b1"], [], ["a1"], []),
            (["a1", "a2"], [], [], ["a1"], []),
            (["b1", "a1"], ["a1", "b1"], [], [], []),
        ] as [([String], [String], [String], [String], [String])])
    func equalKeys(old: [String], new: [String], inserted: [String], removed: [String], updated: [String]) {
        let difference = ElementDifference(from: old, to: new) { $0.first }
        #expect(difference.inserted == inserted)
        #expect(difference.removed == removed)
        #expect(difference.updated == updated)
        #expect(difference.elements == new)
    }

    @Test func theDifferencesEndWithTheDatabase() async throws {
        let cars = try ObservedDatabase()
        var differences = cars.database.observeDifferences(keyedBy: \.self) {
            try $0.query("SELECT name FROM cars ORDER BY price") as [String]
        }.makeAsyncIterator()
        _ = try await differences.next()
        try cars.write("UPDATE cars SET name = 'Seat' WHERE id = 2")
        #expect(try await differences.next()?.inserted == ["Seat"])
        try await cars.database.close()
        #expect(try await differences.next() == nil)
    }
}
