import SQiftCompatibility

func hooks() throws {
    let connection = try Connection(storageLocation: .inMemory)
    try connection.execute("CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)")

    // A variable, so that it can change while the hook is set.
    var shouldCancelCommit = false

    let willCommit: Connection.CommitHook = { return shouldCancelCommit }
    let didRollBack: Connection.RollbackHook = { print("rollback occurred") }
    connection.commitHook(willCommit)
    connection.rollbackHook(didRollBack)

    shouldCancelCommit = true
    do {
        try connection.execute("INSERT INTO person(name) VALUES('Nobody')")
    } catch {
        print(error)
    }
    shouldCancelCommit = false

    connection.updateHook { type, databaseName, tableName, rowID in
        var message = "\(type) row \(rowID)"

        if let databaseName = databaseName { message += " on \(databaseName)" }
        if let tableName = tableName { message += ".\(tableName)" }

        print(message)

        // Could update the file system, invalidate a cache, send notifications, etc.
    }

    // SQift's README inserts into a table `employee` that does not exist.
    try connection.execute(
        """
        INSERT INTO person(name) VALUES('Phil Knight');
        UPDATE person SET name = 'Bill Bowerman' WHERE id = 1;
        DELETE FROM person WHERE id = 1
        """
    )

    try connection.authorizer { action, p1, p2, p3, p4 in
        guard action == .select else { return .deny }
        return .ok
    }

    let one: Int = try connection.query("SELECT 1")
    print("select: \(one)")
    do {
        try connection.execute("DROP TABLE person")
    } catch {
        print(error)
    }
}
