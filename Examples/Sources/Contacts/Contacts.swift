import Squall

// The basic usage of Squeal's README, with Squall's call sites: helpers for the usual statements, and SQL for the rest.

struct Contact: ExpressibleByRow {
    let id: Int
    let name: String?
    let email: String

    init(row: Row) throws {
        id = try row.get("id")
        name = try row.get("name")
        email = try row.get("email")
    }
}

func contacts() throws {
    let connection = try Connection()

    // Create:
    try connection.createTable("contacts", ["id INTEGER PRIMARY KEY", "name TEXT", "email TEXT NOT NULL"])

    // Insert:
    let contactID = try connection.insert(
        into: "contacts", ["name": "Amelia Grey", "email": "amelia@gastrobot.xyz"]
    )
    print("inserted \(contactID)")
    try connection.insert(into: "contacts", ["name": nil, "email": "nobody@gastrobot.xyz"])

    // Select:
    let contacts: [Contact] = try connection.select(from: "contacts", where: "name IS NOT NULL")
    for contact in contacts { print("\(contact.id): \(contact.name ?? "") <\(contact.email)>") }

    // Update, by a condition with a value in it, and by rowids:
    try connection.update("contacts", set: ["name": "A. Grey"], where: "id = \(contactID)")
    try connection.update("contacts", rowIDs: [2], set: ["name": "email" as SQL])
    let names: [String] = try connection.select("name", from: "contacts", orderBy: "id")
    print(names)

    // Count:
    print("\(try connection.count("contacts")) contacts")

    // Delete:
    try connection.delete(from: "contacts", rowIDs: [contactID])
    print("\(try connection.count("contacts")) left")
}
