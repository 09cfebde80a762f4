import SquallTestSupport
import Testing

@testable import Squall

/// Arrays in sections.
struct SectionsTests {
    private struct Car: Equatable {
        let name: String
        let make: String?
    }

    /// A section is where its first item is, also when its items are apart.
    @Test func sectionsAndItemsKeepTheOrderOfTheArray() {
        let sections = ["bus", "car", "boat", "cab", "ant"].sectioned { $0.prefix(1) }
        #expect(sections.map(\.id) == ["b", "c", "a"])
        #expect(sections.map(\.items) == [["bus", "boat"], ["car", "cab"], ["ant"]])
    }

    @Test func aPropertyIsTheKey() {
        let cars = [Car(name: "Polo", make: "VW"), Car(name: "Kit", make: nil), Car(name: "Golf", make: "VW")]
        let sections = cars.sectioned(by: \.make)
        #expect(sections.map(\.id) == ["VW", nil])
        #expect(sections[0].items.map(\.name) == ["Polo", "Golf"])
        #expect(sections == cars.sectioned { $0.make })
        #expect(sections != cars.reversed().sectioned(by: \.make))
    }

    @Test func itIsACollection() {
        let sections = [1, 2, 3, 4].sectioned { $0 / 2 }
        #expect(sections.count == 3)
        #expect(sections.indices == 0..<3)
        #expect(sections.last?.items == [4])
        #expect(sections.reversed().map(\.id) == [2, 1, 0])
        #expect(([] as [Int]).sectioned { $0 }.isEmpty)
    }

    @Test func theErrorOfTheClosureIsThrown() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try [1, 2].sectioned { if $0 > 1 { throw Failure() } else { $0 } } }
    }

    /// ORDER BY decides the order.
    @Test func aQueryInSections() throws {
        let connection = try Connection()
        try connection.create(User.table)
        try connection.insert(
            contentsOf: [("Bo", 30), ("Ada", 40), ("Cy", 30)].map { User(id: nil, name: $0, email: nil, age: $1) })
        let sections = try connection.all(User.order { ($0.age.descending, $0.name.ascending) }).sectioned(by: \.age)
        #expect(sections.map(\.id) == [40, 30])
        #expect(sections.map { $0.items.map(\.name) } == [["Ada"], ["Bo", "Cy"]])
    }
}
