import SQiftCompatibility

struct Employee: CodableBinding {
    let id: Int64
    let firstName: String
    let lastName: String
    let age: UInt
}

func codableBindings() throws {
    let connection = try Connection(storageLocation: .onDisk("path_to_db"))

    let phil = Employee(id: 1, firstName: "Phil", lastName: "Knight", age: 79)

    try connection.execute("CREATE TABLE employees(id INTEGER PRIMARY KEY, employee BLOB NOT NULL)")
    try connection.run("INSERT INTO employees(employee) VALUES(?)", phil)

    if let employee1: Employee = try connection.query("SELECT employee FROM employees WHERE id = 1") {
        print(employee1.firstName)
    }
}
