import Dispatch
import Squall

/// Lets writes of many tasks that wait for each other share a commit, and with it a flush to the disk.
func commitTogether() async throws {
    var configuration = Configuration.recommended
    configuration.groupCommit = true
    let database = try Database("grouped.db", configuration: configuration)
    try await database.write { try $0.execute("CREATE TABLE t(a)") }

    let commits = Log()
    let token = database.addWALObserver { name, _ in commits.write(name) }
    let end = DispatchSemaphore(value: 0)
    let first = Task { try await database.writeWithoutTransaction { _ in end.wait() } }
    while !database.statistics.isWriterBusy { await Task.yield() }
    let others = (0..<6).map { (number: Int) in
        Task { try await database.write { _ = try $0.insert(into: "t", ["a": number]) } }
    }
    while database.statistics.waitingWrites < others.count { await Task.yield() }
    end.signal()
    try await first.value
    for other in others { try await other.value }
    token.cancel()
    let rows = try await database.read { try $0.count("t") }
    print("\(rows) writes, \(commits.lines.count < rows ? "fewer" : "as many") commits")
    try await database.close()
}
