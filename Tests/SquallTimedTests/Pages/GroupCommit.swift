// swift-format-ignore-file
import Foundation
import Squall
import Testing

private struct Order: TableRecord {
    let id: Int64
    let price: Double

    static let table = Table("orders", Order.init) {
        Column("id", \Order.id, .primaryKey)
        Column("price", \Order.price)
    }
}

/// The `swift` blocks of the page "Group commit".
@Suite(.timeLimit(.minutes(10)))
struct GroupCommitSnippets {
    @Test func overview() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).db").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let orders = (Int64(1)...50).map { Order(id: $0, price: 1) }
        try Connection(path).create(Order.table)
        var configuration = Configuration.recommended
        configuration.synchronous = .full
        configuration.groupCommit = true
        let database = try Database(path, configuration: configuration)

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for order in orders {
                tasks.addTask { try await database.write { _ = try $0.insert(order) } }
            }
            try await tasks.waitForAll()
        }
        #expect(try await database.read { try $0.count(Order.self) } == 50)
        try await database.write(isolated: true) { try $0.execute("DELETE FROM orders") }
        #expect(try await database.read { try $0.count(Order.self) } == 0)
    }
}
