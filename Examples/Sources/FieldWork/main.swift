// An office and its vans, each with a database: `swift run FieldWork`. The office is the hub, and decides by table.

import ExampleSupport
import Squall
import SquallChanges

/// Sends the changes of a van to the office, and then those of the office to the van.
func exchange(_ van: Site, with office: Site) throws -> SyncReport {
    let sent = try van.changes(for: office)
    let tables = try Set(sent.changesets.flatMap { try $0.elements.map(\.table) }).sorted()
    print("  \(van.name) sends: \(tables.isEmpty ? "nothing" : tables.joined(separator: ", "))")
    try office.merge(sent)
    return try van.merge(office.changes(for: van))
}

runExample {
    let office = try Site("office", role: .hub)
    let vans = [try Site("van1", role: .replica), try Site("van2", role: .replica)]

    print("The office writes the first rows:")
    try office.write("INSERT INTO prices VALUES('repair', 50)")
    try office.write("INSERT INTO customers VALUES('Ada', NULL, NULL), ('Bo', NULL, NULL)")
    try office.write("INSERT INTO visits VALUES('a', 'Ada', 2)")
    for van in vans { _ = try exchange(van, with: office) }

    print("Both vans and the office change the same rows:")
    try office.write("UPDATE prices SET price = 60")
    try office.write("UPDATE customers SET phone = '100', comment = 'pays late'")
    try vans[0].write("UPDATE prices SET price = 40")
    try vans[0].write("UPDATE customers SET phone = '200' WHERE name = 'Ada'")
    try vans[1].write("UPDATE customers SET phone = NULL, comment = 'has a dog' WHERE name = 'Bo'")
    try vans[1].write("INSERT INTO visits VALUES('b', 'Bo', 3)")
    for van in vans { _ = try exchange(van, with: office) }

    print("After another exchange, all have the rows of the office:")
    let positions = try vans.map { try exchange($0, with: office).cursor }
    for site in [office] + vans { try site.printRows() }

    print("Both vans know the log up to an entry. A new van gets what is before it as one:")
    let newVan = try Site("van3", role: .replica)
    print("  before: \(try office.changes(for: newVan).count) entries")
    if let oldest = positions.min(by: { $0.sequence < $1.sequence }) {
        try office.log.compact(through: oldest, on: office.connection)
    }
    let all = try office.changes(for: newVan)
    print("  now: \(all.count) entry of the \(all.role == .hub ? "hub" : "wrong sender")")
    try newVan.merge(all)
}
