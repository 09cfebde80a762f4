import Squall
import SwiftData
import SwiftUI

enum Fuel: String, Squall.Binding { case petrol, electric }

struct Car: TableRecord, Identifiable {
    let id: Int64?
    let name: String
    let fuel: Fuel

    static let table = Table("cars", Car.init) {
        Column("id", \Car.id, .primaryKey)
        Column("name", \Car.name)
        Column("fuel", \Car.fuel)
    }
}

let garage: Schema = Schema("garage") {
    Version(1) {
        CreateTable("cars") {
            ColumnDef("id", Int64?.self, .primaryKey)
            ColumnDef("name", String.self)
            ColumnDef("fuel", String.self)
        }
    }
}

func cars(with fuel: Fuel) -> Squall.Query<Columns<Car>> {
    Car.where { $0.fuel == fuel }
}

struct CarList: View {
    @Binding var title: String
    let cars: [Car]

    var body: some View {
        SwiftUI.Table(cars) { TableColumn("Name", value: \Car.name) }
    }
}

final class Draft {
    var name = ""
}

struct Editor: View {
    @Bindable var draft: Draft
    @State var isNew = true

    var name: Binding<String> { $draft.name }
    var body: some View { Text(name.wrappedValue) }
}

/// Returns the schema that the app had with SwiftData before.
func oldSchema() -> SwiftData.Schema { SwiftData.Schema([Draft.self]) }
