// The programs of a database's operator: `swift run Operations`. They load a file, watch a server, find slow statements, and copy.

import ExampleSupport
import Squall

await runExample {
    let errors = Log()
    // Only the first thing that a program does with SQLite can configure it.
    try SQLiteLibrary.configure(errorLog(to: errors))

    try loadAndServe()
    try compareJournals()
    try giveAdvice()
    try auditChanges()
    try waitForLocks()
    try shareConnections()
    try copyByHand()
    try await copyServer()
    try await watchServer()
    try await logEvents()
    try await commitTogether()
    try await meterCalls()

    let isLogged = errors.lines.contains { $0.hasPrefix("1: no such table: missing") }
    print("SQLite's own log \(isLogged ? "has" : "lacks") the statements that failed")
}
