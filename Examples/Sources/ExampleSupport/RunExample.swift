import Foundation

/// Runs an example in a new, empty folder, which is removed afterwards with all that is in it.
///
/// An error that the example throws goes to standard error and ends the program with exit code 1.
public func runExample(_ body: () throws -> Void) {
    do {
        try inEmptyFolder(body)
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
}

private func inEmptyFolder(_ body: () throws -> Void) throws {
    let files = FileManager.default
    let home = files.currentDirectoryPath
    let folder = files.temporaryDirectory.appending(path: "squall-example-\(UUID())")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
        _ = files.changeCurrentDirectoryPath(home)
        try? files.removeItem(at: folder)
    }
    guard files.changeCurrentDirectoryPath(folder.path) else { throw CocoaError(.fileNoSuchFile) }
    try body()
}
