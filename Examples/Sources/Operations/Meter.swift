import Squall

struct ClosedAtDaytime: Error {}

/// Counts the calls of a database by their kind, and refuses those that would hold others up.
struct Meter: DatabaseInterceptor {
    let log = Log()

    nonisolated(nonsending) func intercept<Result: Sendable>(
        _ operation: DatabaseOperation, on database: Database,
        _ call: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        if operation == .vacuum { throw ClosedAtDaytime() }
        let result = try await call()
        log.write(operation.rawValue)
        return result
    }

    /// The number of calls of a kind that have succeeded.
    func count(of operation: DatabaseOperation) -> Int { log.lines.count { $0 == operation.rawValue } }
}

func meterCalls() async throws {
    let database = try Database("meter.db")
    let meter = Meter()
    let token = database.addInterceptor(meter)
    print("A meter:")
    for _ in 0..<3 { try await database.write { try $0.execute("CREATE TABLE IF NOT EXISTS t(a)") } }
    _ = try await database.read { try $0.count("t") }
    _ = try? await database.read { try $0.count("missing") }
    do {
        try await database.vacuum()
    } catch is ClosedAtDaytime {
        print("  VACUUM is for the night")
    }
    token.cancel()
    try await database.vacuum()
    print("  writes: \(meter.count(of: .write)), reads: \(meter.count(of: .read))")
    try await database.close()
}
