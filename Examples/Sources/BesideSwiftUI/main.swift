// The names of Squall in an app that imports SwiftUI and SwiftData. On platforms that have neither, modules with the same names stand for
// them; `-module-alias` gives them their names here.
import Squall

let connection = try Connection(":memory:")
try garage.migrate(connection)
try connection.insert(contentsOf: [
    Car(id: nil, name: "Audi", fuel: .petrol), Car(id: nil, name: "Zoe", fuel: .electric),
])
let electric = try connection.all(cars(with: .electric))
let list = CarList(title: .constant("Electric"), cars: electric)
print(list.title, list.cars.map(\.name))
