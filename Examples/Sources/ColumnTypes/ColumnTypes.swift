import Foundation
import Squall

// Types of the program as columns: an amount with a limit, a version that SQL cannot order, a form for a type that has none, sets and
// dictionaries, and a parameter that says why it is NULL. In the end, the rows are written for programs that have none of these types.

func columnTypes() throws {
    let connection = try Connection()
    try connection.create(Device.table)
    print(Device.table.createSQL.text)

    let router = Device(
        id: UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF") ?? UUID(), name: "router",
        version: ProgramVersion("1.10.2") ?? .first, price: Money(cents: 7_999), address: Address(192, 168, 0, 1),
        groups: ["hall", "first floor"], limits: ["clients": 64, "watts": 12],
        seen: Date(timeIntervalSince1970: 1_790_000_000))
    try connection.insert(router)
    try connection.run(
        """
        INSERT INTO devices SELECT 'c9a646d3-9c61-4cb7-bfcd-ee2522c8f633', 'camera', '1.9', 12900, NULL, groups, limits, seen
        FROM devices
        """)

    try readDevices(connection, router)
    try refuseValues(connection)
    try chooseSettings(connection)
    try export(connection)
}

private func readDevices(_ connection: Connection, _ router: Device) throws {
    print("\n# Read")
    for device in try connection.all(Device.order { $0.name }) {
        let groups = device.groups.elements.sorted().joined(separator: " and ")
        print("\(device.name) \(device.version) for \(device.price), \(device.address?.description ?? "no address")")
        print("    in \(groups), for \(device.limits.elements["clients"] ?? 0) clients")
    }
    // The text of the UUID is in lower case, as other programs write it, and the date is a Julian day.
    for row in try connection.query("SELECT id, seen FROM devices WHERE name = 'router'") as [Row] { print(row) }
    let found = Device.where { $0.id == router.id && $0.address == router.address && $0.seen == router.seen }
    print("\(try connection.count(found)) router found by the values")
    let total: Money = try connection.query("SELECT sum(price) FROM devices")
    print("\(total) for all")
}

private func refuseValues(_ connection: Connection) throws {
    print("\n# What is not stored or compared")
    do {
        try connection.run("UPDATE devices SET price = \(Money(cents: 250_000_000_00))")
    } catch let error as Money.TooMuch {
        print("\(error.amount) is too much")
    }
    do {
        _ = try connection.all(Device.order { $0.version })
    } catch let error as SQLiteError {
        print(error.message)
    }
    // A function in Swift orders them. For NULL, it gets the version that is before all others.
    try connection.addFunction("is_older") { (version: ProgramVersion, other: ProgramVersion) in version < other }
    let old: [String] = try connection.query("SELECT name FROM devices WHERE is_older(version, '1.10')")
    print("older than 1.10: \(old)")
    print("nothing is older than 0: \(try connection.query("SELECT is_older(NULL, '0')") as Bool)")
    // The number of an older program is read as the version that it meant.
    try connection.execute("CREATE TABLE old(version); INSERT INTO old VALUES(2), (2.5), ('2.5.1')")
    print(try connection.query("SELECT version FROM old") as [ProgramVersion])
}

private func chooseSettings(_ connection: Connection) throws {
    print("\n# A parameter that says why it is NULL")
    try connection.execute("CREATE TABLE settings(name TEXT PRIMARY KEY, value)")
    let brightness = Setting.chosen(0.8)
    let language = Setting<String>.automatic
    try connection.run("INSERT INTO settings VALUES('brightness', ?), ('language', ?)", brightness, language)
    for row in try connection.query("SELECT * FROM settings ORDER BY name") as [Row] { print(row) }
}
