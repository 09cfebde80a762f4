import Foundation
import Squall

/// A device of a network, with a column of each kind.
struct Device: TableRecord {
    let id: UUID
    let name: String
    let version: ProgramVersion
    let price: Money
    let address: Address?
    let groups: SetBinding<String>
    let limits: DictionaryBinding<String, Int>
    let seen: Date

    static let table = Table("devices", Device.init) {
        Column("id", \Device.id, as: .lowercaseText, .primaryKey)
        Column("name", \Device.name)
        Column("version", \Device.version)
        Column("price", \Device.price)
        Column("address", \Device.address, as: .bytes)
        Column("groups", \Device.groups)
        Column("limits", \Device.limits)
        Column("seen", \Device.seen, as: .julianDay)
    }
}
