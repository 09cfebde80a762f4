import ArgumentParser

struct SQLCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks the SQL files of a folder, and writes nothing.")

    @OptionGroup
    var source: SQLFilesFolder

    func run() throws {
        let files = try source.check()
        // Names that collide are found when the Swift is written.
        _ = try SQLFilesFolder.reportingDiagnostics { try files.swift(below: source.folder) }
        try Output.printLine(files.summary)
    }
}
