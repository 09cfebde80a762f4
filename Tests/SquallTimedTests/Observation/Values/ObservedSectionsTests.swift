import SquallTestSupport
import Testing

@testable import Squall

/// Observed arrays in sections, and their differences.
@Suite(.timeLimit(.minutes(10)))
struct ObservedSectionsTests {
    private struct Car: Codable, Equatable {
        let id: Int
        let name: String
        let price: Int?

        var initial: String { String(name.prefix(1)) }
    }

    private let cars: ObservedDatabase
    private var database: Database { cars.database }

    init() throws {
        cars = try ObservedDatabase()
    }

    private static let query: SQL = "SELECT id, name, price FROM cars ORDER BY name, id"

    private func differences() -> ObservedDifferences<Sections<String, Car>, SectionDifference<String, Car>> {
        database.observeDifferences(keyedBy: \.id, sectionedBy: \.initial) { try $0.query(Self.query) as [Car] }
    }

    @Test func valuesInSections() async throws {
        var values = database.observe {
            (try $0.query(Self.query) as [Car]).sectioned(by: \.initial)
        }.makeAsyncIterator()
        #expect(try await values.next()?.map(\.id) == ["A", "S", "V"])
        try cars.write("UPDATE cars SET name = 'Seat' WHERE id = 1")
        let sections = try await values.next()
        #expect(sections?.map(\.id) == ["S", "V"])
        #expect(sections?.first?.items.map(\.name) == ["Seat", "Skoda"])
    }

    @Test func differencesBySection() async throws {
        var differences = differences().makeAsyncIterator()
        let first = try #require(await differences.next())
        #expect(first.insertedSections == [0, 1, 2])
        #expect(first.sections.map(\.id) == ["A", "S", "V"])
        // Volvo becomes Saab, and Audi costs more. The section of Volvo is empty, and ends.
        try cars.write(
            """
            UPDATE cars SET name = 'Saab' WHERE id = 3; UPDATE cars SET price = 1 WHERE id = 1;
            INSERT INTO cars VALUES(4, 'Fiat', 3), (5, 'Alfa', 4)
            """)
        let second = try #require(await differences.next())
        #expect(second.removedSections == [2])
        #expect(second.insertedSections == [1])
        #expect(second.removed.isEmpty)
        #expect(second.inserted == [[0, 0], [2, 0]])
        #expect(second.moved.isEmpty)
        #expect(second.updated == [[0, 1]])
        #expect(second.sections.map { $0.items.map(\.name) } == [["Alfa", "Audi"], ["Fiat"], ["Saab", "Skoda"]])
        try cars.write("UPDATE cars SET name = 'Simca' WHERE id = 1")
        let third = try #require(await differences.next())
        #expect(third.moved.map(\.from) == [[0, 1]] && third.moved.map(\.to) == [[2, 1]])
        #expect(third.updated == [[2, 1]])
        #expect(third.removedSections.isEmpty && third.insertedSections.isEmpty)
    }

    /// The first difference comes also when there is nothing. Later values without a difference are left out.
    @Test func valuesWithoutADifference() async throws {
        try cars.write("DELETE FROM cars")
        var differences = differences().makeAsyncIterator()
        let first = try #require(await differences.next())
        #expect(first.isEmpty && first.sections.isEmpty)
        try cars.write("INSERT INTO cars VALUES(1, 'Audi', 1); DELETE FROM cars")
        async let next = differences.next()
        try await database.write { try $0.run("INSERT INTO cars VALUES(2, 'Fiat', 1)") }
        #expect(try await next?.insertedSections == [0])
    }

    /// Of items with the same key, the first one counts.
    @Test func equalKeys() async throws {
        var differences = database.observeDifferences(keyedBy: \.price, sectionedBy: \.initial) {
            try $0.query(Self.query) as [Car]
        }.makeAsyncIterator()
        #expect(try await differences.next()?.sections.count == 3)
        try cars.write("UPDATE cars SET price = 1")
        let difference = try #require(await differences.next())
        #expect(difference.sections.flatMap { $0.items.map(\.name) } == ["Audi"])
        #expect(difference.removedSections == [1, 2])
    }

    @Test func theErrorOfTheClosureEndsTheDifferences() async throws {
        struct Failure: Error {}
        var differences = database.observeDifferences(keyedBy: \.id, sectionedBy: \.initial) { _ -> [Car] in
            throw Failure()
        }.makeAsyncIterator()
        await #expect(throws: Failure.self) { _ = try await differences.next() }
        #expect(try await differences.next() == nil)
    }

    @Test func theDifferencesEndWithTheirTaskAndWithTheDatabase() async throws {
        let sequence = differences()
        let hasBegun = Gate()
        let task = Task {
            var count = 0
            for try await _ in sequence {
                count += 1
                hasBegun.open()
            }
            return count
        }
        await hasBegun.passed()
        task.cancel()
        #expect(try await task.value == 1)
        var others = sequence.makeAsyncIterator()
        #expect(try await others.next() != nil)
        try await database.close()
        #expect(try await others.next() == nil)
    }

    @Test @MainActor func anObservableValue() async throws {
        let sections = Live(database) { (try $0.query(Self.query) as [Car]).sectioned(by: \.initial) }
        while sections.value?.map(\.id) != ["A", "S", "V"] { await Task.yield() }
        try await database.write { try $0.run("DELETE FROM cars WHERE id = 2") }
        while sections.value?.map(\.id) != ["A", "V"] { await Task.yield() }
    }
}
