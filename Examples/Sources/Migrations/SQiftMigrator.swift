import Squall

/// The chapter of SQift's README on migrations.
func migratorOfSQift() throws {
    print("\nSQift: the Migrator")
    let connection = try Connection(storageLocation: .onDisk("cars.db"))
    let migrator = Migrator(connection: connection, desiredSchemaVersion: 2)

    let count = try migrator.runMigrationsIfNecessary(
        migrationSQLForSchemaVersion: { version in
            let sql: SQL = ""

            switch version {
            case 1:
                return "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)"

            case 2:
                return "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, address TEXT)"

            default:
                break
            }

            return sql
        },
        willMigrateToSchemaVersion: { version in
            print("Will migrate to schema version: \(version)")
        },
        didMigrateToSchemaVersion: { version in
            print("Did migrate to schema version: \(version)")
        }
    )
    print("\(count) migrations, the file has version \(migrator.currentSchemaVersion)")
    print("required: \(migrator.migrationRequired), tables: \(try connection.tableNames())")
}
