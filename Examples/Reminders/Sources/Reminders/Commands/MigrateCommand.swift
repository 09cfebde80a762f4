import ArgumentParser
import Squall

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings the file to the latest version of the schema.")

    @OptionGroup var database: DatabaseOption
    @Flag(help: "Only prints the SQL that would run.") var dryRun = false

    func run() async throws {
        let database = try Database(database.path)
        if dryRun {
            for sql in try await database.writeWithoutTransaction({ try remindersSchema.dryRun($0) }) { print(sql) }
        } else {
            print(try await database.migrate(remindersSchema) ? "migrated" : "up to date")
        }
        try await database.close()
    }
}
