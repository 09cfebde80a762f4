import Squall

// The README of SQLite.swiftly with Squall's calls: the table is declared once, and the compiler knows its columns.

struct Contact: TableRecord {
    let id: Int
    let name: String

    static let table = Table("contact", Contact.init) {
        Column("id", \Contact.id, .primaryKey)
        Column("name", \Contact.name)
    }
}

func typedContacts() throws {
    // The file must not exist yet.
    let connection = try Connection("db.sqlite", mode: .createNew)

    try connection.create(Contact.table)
    print(Contact.table.createSQL)

    // Prepared once. A value of another type, or a missing value, does not compile.
    let insert = try connection.prepareInsert(into: Contact.table)
    print(insert.sql)
    try insert.run(1, "Alice")
    try insert.run(2, "Bob")

    // Rows with the column names …
    try connection.forEach("\(Contact.query.sql)") { row in
        for column in row.columns { print("\(column.name): \(column.value ?? "nil")") }
    }

    // … and records, whose properties have the column types.
    for contact in try connection.all(Contact.self, where: { $0.name.like("A%") }) {
        print("contact \(contact.id) is \(contact.name)")
    }
}
