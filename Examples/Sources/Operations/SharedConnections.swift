import Foundation
import Squall

/// Lets threads share connections: a pool for those that read, and a queue for the one that writes.
func shareConnections() throws {
    let path = "shared-connections.db"
    let queue = ConnectionQueue(connection: try Connection(path))
    try queue.execute { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)") }
    let pool = ConnectionPool(storageLocation: .onDisk(path), maximumConnections: 1, configuration: .recommended)
    print("Connections:")
    print("  \(pool.connections) of \(pool.maximumConnections) are open, one is opened when it is needed")
    print("  without a maximum, there would be \(ConnectionPool.defaultMaximum >= 4 ? "enough for each core" : "few")")

    let reader = try pool.execute { connection in
        let reader = Worker { try pool.execute { try $0.query("SELECT sum(a) FROM t") } }
        wait { pool.waiting == 1 }
        print("  reading: \(pool.busyConnections) of \(pool.connections) in use, \(pool.waiting) waiting")
        return reader
    }
    print("  then the other one read \(try reader.result())")

    let writer = try queue.execute { connection in
        let writer = Worker { try queue.executeInTransaction { Int(try $0.insert(into: "t", ["a": 3])) } }
        wait { queue.waiting == 1 }
        print("  writing: \(queue.waiting) waiting")
        return writer
    }
    print("  then the other one wrote row \(try writer.result())")

    // A database has both.
    let database = try Database(path, maximumReaders: 3)
    try database.blocking.read { _ in print("  \(load(of: database))") }
    try database.blocking.close()
}

/// Returns the use of a database by threads, in one line.
private func load(of database: Database) -> String {
    let readers = database.readerConnectionPool
    let writers = database.writerConnectionQueue.waiting
    return "\(readers.busyConnections) of at most \(readers.maximumConnections) readers, \(writers) writers wait"
}

private func wait(until isDone: () -> Bool) {
    while !isDone() { sched_yield() }
}

/// A thread that returns a number.
///
/// Sendable, because the number is read after the semaphore that follows its write.
private final class Worker: @unchecked Sendable {
    private let end = DispatchSemaphore(value: 0)
    private var outcome: Result<Int, any Error>?

    init(_ body: @escaping @Sendable () throws -> Int) {
        Thread.detachNewThread { [self] in
            outcome = Result(catching: body)
            end.signal()
        }
    }

    func result() throws -> Int {
        end.wait()
        return try outcome?.get() ?? 0
    }
}
