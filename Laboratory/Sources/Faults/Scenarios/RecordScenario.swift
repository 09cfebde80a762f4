import Squall

/// Declared tables: records that are inserted, read by typed queries, changed and deleted.
struct RecordScenario: Scenario {
    var name: String { "records" }

    private struct Owner: TableRecord {
        let id: Int64?
        let name: String

        static let table = Table("owners", Owner.init) {
            Column("id", \Owner.id, .primaryKey)
            Column("name", \Owner.name, .unique)
        }
    }

    private struct Car: TableRecord {
        let id: Int64?
        let name: String
        let price: Double
        let owner: Int64?
        let note: String?

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name)
            Column("price", \Car.price)
            Column("owner", \Car.owner, .references("owners", "id"))
            Column("note", \Car.note)
        }
    }

    func prepare(_ connection: Connection) throws {
        try connection.create(Owner.table)
        try connection.insert(contentsOf: [Owner(id: 1, name: "Ada"), Owner(id: 2, name: "Ben")])
    }

    var steps: [Step<Connection>] {
        [
            Step { connection in
                try connection.transaction {
                    try connection.create(Car.table, ifNotExists: true)
                    try connection.insert(
                        contentsOf: (1...30).map { number in
                            Car(
                                id: nil, name: "Car \(number)", price: Double(number) * 100, owner: 1,
                                note: number % 2 == 0 ? "a note that is longer than some bytes \(number)" : nil)
                        })
                }
            },
            Step { connection in
                let car = try connection.find(Car.self, 2)
                try expect(car?.note, "a note that is longer than some bytes 2")
                try expect(car?.price, 200)
                let names = try connection.all(Car.self) { $0.price > 2_800 && $0.note == nil }.map(\.name)
                try expect(names, ["Car 29"])
                let owners = try connection.all(
                    Car.leftJoin(Owner.self) { $0.owner == $1.id }.where { car, _ in car.id < 3 }
                        .select { ($0.name, $1.name) })
                try expect(owners.map(\.1), ["Ada", "Ada"])
                try expect(try connection.max(\Car.price), 3_000)
            },
            Step { try $0.update(Car(id: 3, name: "Saab", price: 7, owner: 2, note: "changed")) },
            Step { _ = try $0.upsert(Owner(id: nil, name: "Ada"), onConflict: \.name) },
            Step { connection in
                _ = try connection.update(Car.self) {
                    $0.price.set(to: $0.price + 1)
                } where: {
                    $0.owner == 1
                }
            },
            Step { _ = try $0.delete(Car.self) { $0.id > 25 } },
            Step { connection in
                let cars = try connection.find(Car.self, keys: [3, 1, 99])
                try expect(cars.map(\.name), ["Saab", "Car 1"])
                let insert = try connection.prepareInsert(into: Owner.table)
                try insert.run(nil, "Cleo")
            },
        ]
    }
}
