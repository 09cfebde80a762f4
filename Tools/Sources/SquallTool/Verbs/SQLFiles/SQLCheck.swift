import ArgumentParser

struct SQLCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks the SQL files of a folder, and writes nothing.")

    @OptionGroup
    var source: SQLFilesFolder

    func run() throws {
        print(try source.check().summary)
    }
}
