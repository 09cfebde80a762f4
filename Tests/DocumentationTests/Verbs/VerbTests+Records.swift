// swift-format-ignore-file
import Squall
import SquallTestSupport
import Testing

extension VerbTests {
    @Test func writingRecords() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let (audi, fiat) = (Self.audi, Self.fiat)
        let saab = Car(id: nil, name: "Saab", price: 7)
        let others = [Car(id: 8, name: "Seat", price: 8), Car(id: 9, name: "Opel", price: 6)]
        let cheaper = Car(id: 1, name: "Audi", price: 48)
        try connection.dropTable("wheels")
        try verb { try connection.create(Wheel.table) }
        try verb { try connection.insert(saab) }
        try verb { try connection.insert(contentsOf: others) }
        try verb { try connection.insert(fiat, orIgnore: true) }
        try verb { try connection.insertReturning(Car(id: nil, name: "Kia", price: 5)) }
        try verb { try connection.insert(into: Sold.self, from: Car.where { $0.price < 8 }) }
        try verb { try connection.replace(fiat) }
        try verb { try connection.upsert(fiat, onConflict: \.name) }
        try verb { try connection.upsert(fiat, onConflict: \.name, set: { $0.price.set(to: $0.excluded.price) }) }
        try verb { try connection.update(fiat) }
        try verb { try connection.update(fiat, \.price) }
        try verb { try connection.update(cheaper, changedFrom: audi) }
        try verb { try connection.update(Car.self, set: { $0.price.set(to: $0.price + 1) }, where: { $0.price < 8 }) }
        try verb { try connection.updateReturning(Car.self, set: { $0.price.set(to: 9) }, where: { $0.id == 2 }) }
        try verb { try connection.delete(fiat) }
        try verb { try connection.delete(Car.self) { $0.price > 50 } }
        try verb { try connection.deleteReturning(Car.self) { $0.price == 8 } }
        try verb.finish("Records: writing")
    }

    @Test func readingRecords() throws {
        let (verb, connection) = try Self.begin(file: #filePath)
        let dear = Car.where { $0.price > 20 }
        let byPrice = Car.order { $0.price.ascending; $0.id.ascending }
        let (audi, cars) = (Self.audi, Self.cars)
        try verb { try connection.find(Car.self, 1) }
        try verb { try connection.find(Car.self, keys: [1, 2]) }
        try verb { try connection.first(Car.self) { $0.name == "Audi" } }
        try verb { try connection.all(Car.self) { $0.price < 20 } }
        try verb { try connection.all(dear.select { ($0.name, $0.price) }) }
        try verb { try connection.all(Car.self, "SELECT * FROM cars WHERE price < \(20)") }
        try verb { try connection.forEach(Car.self) { car in _ = car.name } }
        var cursor = try verb(none: "the statement runs as rows are read") { try connection.rows(dear) }
        _ = try cursor.next()
        try verb { try connection.page(byPrice, size: 10) }
        try verb { try connection.exists(dear) }
        try verb { try connection.count(Car.self) }
        try verb { try connection.all(Car.wheels, of: audi) }
        try verb { try connection.all(Car.self, including: Car.wheels) }
        try verb { try connection.min(\Car.price) }
        try verb { try connection.max(\Car.price) }
        try verb { try connection.sum(\Car.price) }
        try verb { try connection.total(\Car.price) }
        try verb { try connection.average(\Car.price) }
        try verb { try connection.groupConcat(\Car.name, separator: ", ") }
        try verb(none: "has these verbs for another table of the type") { connection.table(cars) }
        try verb { try connection.table(cars).all { $0.price < 20 } }
        try verb { try connection.withTable("some", [audi]) { try $0.run("SELECT name FROM some") } }
        try verb.finish("Records: reading")
    }
}
