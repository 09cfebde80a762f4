import Squall

/// Returns the error of SQLite that a closure throws; `nil` if it throws none.
func sqliteError(_ body: () async throws -> Void) async -> SQLiteError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? SQLiteError
    }
}
