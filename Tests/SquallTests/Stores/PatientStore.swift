import Squall

/// A database whose sessions may take longer than a minute: other tests run beside, under a sanitizer.
struct PatientStore: SQLStore {
    let database: Database

    private func limit(_ deadline: Duration?) -> Duration { deadline ?? .seconds(1800) }

    nonisolated(nonsending) func read<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (SQLSession) async throws -> Value
    ) async throws -> Value {
        try await database.read(deadline: limit(deadline), body)
    }

    nonisolated(nonsending) func write<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (SQLSession) async throws -> Value
    ) async throws -> Value {
        try await database.write(deadline: limit(deadline), body)
    }

    nonisolated(nonsending) func write<Value: Codable & Sendable>(
        idempotencyKey key: String, deadline: Duration?,
        _ body: nonisolated(nonsending) (SQLSession) async throws -> Value
    ) async throws -> Value {
        try await database.write(idempotencyKey: key, deadline: limit(deadline), body)
    }

    nonisolated(nonsending) func migrate(_ schema: Schema) async throws -> Bool { try await database.migrate(schema) }
}
