import SQiftCompatibility

func checkpoints() throws {
    let connection = try Connection(storageLocation: .onDisk("path_to_db"))
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)")

    let passive = try connection.checkpoint(mode: .passive)
    print("frames in the log: \(passive.logFrames), in the database: \(passive.checkpointedFrames)")

    let triesThreeTimes: Connection.CustomBusyHandler = { invocationCount in invocationCount < 3 }
    try connection.busyHandler(.custom(triesThreeTimes))
    try connection.busyHandler(.timeout(1.0))  // 1 second
    let checkpointResult = try connection.checkpoint(mode: .truncate)
    print("frames in the log: \(checkpointResult.logFrames), in the database: \(checkpointResult.checkpointedFrames)")

    try connection.execute("VACUUM")
}
