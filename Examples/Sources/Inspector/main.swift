// Prints what is in a database file, and what follows from it: `swift run Inspector`.

import ExampleSupport
import Squall

runExample {
    try createLibrary()
    let connection = try Connection("library.db", mode: .readOnly, configuration: .sqlite)
    let schema = try connection.schemaDefinition()
    for table in schema.tables { print(TableReport(table).text) }
    for view in schema.views { print(report(on: view)) }
    printConsequences(in: schema)
    try printCensus(of: "books", on: connection)
    try printOrphans(on: connection)
    try printPlan(of: "SELECT title FROM books WHERE author = 1 UNION SELECT member FROM loans", on: connection)
    try printRequirements(on: connection)
}
