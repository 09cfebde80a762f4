import Dispatch
import SQiftCompatibility

func backups() throws {
    let sourceLocation = StorageLocation.onDisk("source_db")
    let destinationLocation = StorageLocation.onDisk("destination_db")

    let sourceConnection = try Connection(storageLocation: sourceLocation)
    let destinationConnection = try Connection(storageLocation: destinationLocation)
    try sourceConnection.execute("CREATE TABLE cars(name TEXT); INSERT INTO cars VALUES('Audi'), ('Mercedes')")

    // SQift's README calls `completion` on the main queue, which this program does not run. It waits on a separate queue.
    let finished = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "completion")
    let progress = try sourceConnection.backup(to: destinationConnection, completionQueue: queue) { result in
        report(result)
        finished.signal()
    }
    finished.wait()

    print("pages: \(progress.completedUnitCount) of \(progress.totalUnitCount)")
    let names: [String] = try destinationConnection.query("SELECT name FROM cars")
    print(names)
    try copyAfterPause(sourceConnection, to: "paused_db", cancels: false)
    try copyAfterPause(sourceConnection, to: "cancelled_db", cancels: true)
}

/// Copies a database after a pause, or cancels the copy during the pause.
private func copyAfterPause(_ source: Connection, to path: String, cancels: Bool) throws {
    let queue = DispatchQueue(label: "copies", attributes: .initiallyInactive)
    let end = DispatchSemaphore(value: 0)
    let progress = try source.backup(
        to: Connection(storageLocation: .onDisk(path)), backupQueue: queue, completionQueue: .global()
    ) { (result: Connection.BackupResult) in
        let news = result.isSuccess ? "a copy" : result.isCancelled ? "no copy" : "a failure: \(result.isFailure)"
        print("\(path): \(news)")
        end.signal()
    }
    progress.pause()
    queue.activate()
    if cancels { progress.cancel() } else { progress.resume() }
    end.wait()
}

private func report(_ result: Connection.BackupResult) {
    switch result {
    case .success: print("success")
    case .failure(let error): print("failure: \(error)")
    case .cancelled: print("cancelled")
    }
}
