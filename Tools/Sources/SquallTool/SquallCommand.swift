import ArgumentParser
import Foundation
import Squall

@main
struct SquallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "squall",
        abstract: "Works with SQLite databases.",
        discussion: """
            Results go to standard output, errors to standard error.

            Bash, zsh and fish complete verbs, options and files with a script that the tool prints. For Bash:
              source <(squall --generate-completion-script bash)

            Exit codes: 0 success; 1 the answer is no (the files differ, the check found problems, versions are \
            pending); 2 an error in the SQL or the data; 64 wrong usage; 65 a file that is damaged, or is not a \
            database or not in its format; 66 no such file; 73 a file that cannot be created; 74 failed input or \
            output, a full disk; 75 a database that is locked (trying again may help); 77 no permission, or SQL that \
            writes to a database opened read-only; 130 interrupted. A verb that has done its work and cannot print the line \
            about it ends with 74: what it has committed or written is there.
            """,
        version: Version.text,
        subcommands: [
            Query.self, Shell.self, Watch.self, Tables.self, SchemaVerb.self, Describe.self, Search.self, Plan.self,
            Import.self, Export.self, Diff.self, Migrate.self, Generate.self, SQLVerb.self, Backup.self, Restore.self,
            Encrypt.self, Decrypt.self, Rekey.self, Check.self, Doctor.self, Size.self, Demo.self,
        ]
    )

    static func main() async {
        KeyVariable.takeAll()
        Console.prepare()
        do {
            // SQLite limits its memory by these statistics.
            let limitsMemory = CommandLine.arguments.dropFirst().first == SQLVerb.configuration.commandName
            if !limitsMemory { try SQLiteLibrary.configure(.withoutMemoryStatistics) }
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard let failure = Failure(error) else { end(with: error) }
            end(with: failure)
        }
    }

    /// Ends the process with one of ArgumentParser's errors: wrong usage, or a text such as that of `--help`.
    private static func end(with error: any Error) -> Never {
        guard exitCode(for: error) == .success else { exit(withError: error) }
        do {
            try Output.printLine(fullMessage(for: error))
        } catch {
            if let failure = Failure(error) { end(with: failure) }
        }
        Foundation.exit(EX_OK)
    }

    private static func end(with failure: Failure) -> Never {
        if failure.exitCode == .interrupted { InterruptSignal.endProcess() }
        Console.printError(failure.description)
        Foundation.exit(failure.exitCode.rawValue)
    }
}
