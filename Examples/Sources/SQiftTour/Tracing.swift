import SQiftCompatibility

func tracing() throws {
    let storageLocation = StorageLocation.inMemory

    struct Employee: ExpressibleByRow {
        let id: Int64
        let name: String

        init(row: Row) throws {
            id = try row.get("id")
            name = try row.get("name")
        }
    }

    let connection = try Connection(storageLocation: storageLocation)

    // SQift's README has `= sql` at the end of the next line. It prints the statements with their values, which are the
    // first part of the event; the second part is the original SQL.
    connection.traceEvent { event in
        if case .statement(let statement, _) = event {
            print(statement)
        }
    }

    try connection.execute("CREATE TABLE employees(id INTEGER PRIMARY KEY, name TEXT)")
    try connection.prepare("INSERT INTO employees VALUES(?, ?)").bind(1, "Bill Bowerman").run()
    try connection.prepare("INSERT INTO employees VALUES(?, ?)").bind(2, "Phil Knight").run()
    let employees: [Employee] = try connection.query("SELECT * FROM employees")
    print("employees: \(employees.map(\.name))")

    // Only the events of a mask.
    connection.traceEvent(mask: Connection.TraceEvent.statementMask | Connection.TraceEvent.rowMask) { print($0) }
    let name: String? = try connection.query("SELECT name FROM employees WHERE id = ?", 2)
    print("name: \(name ?? "")")
    connection.traceEvent(closure: nil)

    // SQift 3's form.
    connection.trace { sql in print(sql) }
    try connection.run("DELETE FROM employees WHERE id = ?", 2)
    connection.trace(nil)
}
