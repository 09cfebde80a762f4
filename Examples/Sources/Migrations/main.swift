import ExampleSupport

runExample {
    try contactsInTwoVersions()
    try migratorOfSQift()
    try syncOfSQLiteORM()
}
