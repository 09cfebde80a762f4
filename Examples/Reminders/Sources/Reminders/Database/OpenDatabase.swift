import Squall

/// Opens a file, which is created if it is missing, and brings it to the latest version.
func openReminders(_ path: String) async throws -> Database {
    let database = try Database(path)
    try await database.migrate(remindersSchema)
    return database
}
