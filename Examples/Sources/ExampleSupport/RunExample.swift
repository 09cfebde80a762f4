import Foundation

/// Runs an example in a new, empty folder, and removes the folder afterwards.
///
/// An error that the example throws goes to standard error and ends the program with exit status 1.
public func runExample(_ body: () throws -> Void) {
    do {
        try inEmptyFolder(body)
    } catch {
        fail(error)
    }
}

/// Runs an asynchronous example in a new, empty folder, and removes the folder afterwards.
public func runExample(_ body: () async throws -> Void) async {
    do {
        let (home, folder) = try enterEmptyFolder()
        defer { leave(folder, for: home) }
        try await body()
    } catch {
        fail(error)
    }
}

private func fail(_ error: any Error) {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}

private func inEmptyFolder(_ body: () throws -> Void) throws {
    let (home, folder) = try enterEmptyFolder()
    defer { leave(folder, for: home) }
    try body()
}

private func enterEmptyFolder() throws -> (home: String, folder: URL) {
    let files = FileManager.default
    let home = files.currentDirectoryPath
    let folder = files.temporaryDirectory.appending(path: "squall-example-\(UUID())")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    guard files.changeCurrentDirectoryPath(folder.path) else { throw CocoaError(.fileNoSuchFile) }
    return (home, folder)
}

private func leave(_ folder: URL, for home: String) {
    _ = FileManager.default.changeCurrentDirectoryPath(home)
    try? FileManager.default.removeItem(at: folder)
}
