import SQiftCompatibility

func creatingADatabaseConnection() throws {
    let onDiskConnection = try Connection(storageLocation: .onDisk("path_to_db"))
    let inMemoryConnection = try Connection(storageLocation: .inMemory)
    let tempConnection = try Connection(storageLocation: .temporary)

    for connection in [onDiskConnection, inMemoryConnection, tempConnection] {
        let fileName = connection.fileName.split(separator: "/").last ?? "no file of its own"
        print("\(fileName): \(connection.readOnly ? "read-only" : "read-write")")
    }

    // Convenience parameters
    do {
        let connection = try Connection(
            storageLocation: .onDisk("path_to_db"),
            readOnly: true,
            multiThreaded: false,
            sharedCache: false
        )

        print("path_to_db: \(connection.readOnly ? "read-only" : "read-write")")
        print("SQLite was compiled \(connection.threadSafe ? "for several threads" : "for one thread")")
    }
}
