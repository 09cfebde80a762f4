// A board of departures that follows a database: `swift run Departures`.

import ExampleSupport
import Squall

await runExample {
    let database = try Database("station.db")
    try await database.write { try $0.create(Train.table) }
    try await followDifferences(database)
    try await followChanges(database)
    try await followValues(database)
    try await followOnScreen(database)
    try await keepOldDepartures(database)
    try await database.close()
}
