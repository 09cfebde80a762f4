import SquallStore
import Squall

/// A database whose closures may take longer than a minute, as under a sanitizer.
package struct PatientStore: SQLStore {
    package let database: Database

    package init(database: Database) {
        self.database = database
    }

    private func limit(_ deadline: Duration?) -> Duration { deadline ?? .seconds(1800) }

    package nonisolated(nonsending) func read<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await database.read(deadline: limit(deadline), body)
    }

    package nonisolated(nonsending) func write<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await database.write(deadline: limit(deadline), body)
    }

    package nonisolated(nonsending) func write<Value: Codable & Sendable>(
        idempotencyKey key: String, deadline: Duration?,
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await database.write(idempotencyKey: key, deadline: limit(deadline), body)
    }

    package nonisolated(nonsending) func migrate(_ schema: Schema) async throws -> Bool {
        try await database.migrate(schema)
    }
}
