import ArgumentParser
import Foundation
import SquallSQLFiles

struct SQLGenerate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Writes the queries of SQL files as Swift functions.",
        discussion: """
            Each file of queries becomes a Swift file, and the schema another one. Only files whose text differs \
            are written. The text has the version of SQLite that checked the queries, so --check needs the version \
            that wrote the files.
            """
    )

    @OptionGroup
    var source: SQLFilesFolder

    @Option(help: ArgumentHelp("The folder of the Swift files.", valueName: "folder"), completion: .directory)
    var out: String

    @Option(help: "The access of the declarations. That of squall.json, or internal, without it.")
    var access: Access?

    @Flag(help: "Write nothing. Exit with 1 if the files in --out are not what would be written.")
    var check = false

    func run() throws {
        let checked = try source.check()
        let files = try SQLFilesFolder.reportingDiagnostics {
            try checked.swift(below: source.folder, access: access).files
        }
        let folder = GeneratedFolder(out)
        if check { try compare(folder, with: files) } else { try write(files, to: folder) }
        try Output.printLine(checked.summary)
    }

    private func compare(_ folder: GeneratedFolder, with files: [GeneratedFile]) throws {
        let differences = folder.differences(from: files)
        guard !differences.isEmpty else { return }
        for difference in differences { Console.printError("error: \(difference)".printable) }
        Console.printError("hint: run 'squall sql generate' without --check")
        throw ExitCode.no
    }

    private func write(_ files: [GeneratedFile], to folder: GeneratedFolder) throws {
        do {
            try folder.write(files)
        } catch let error as GeneratedFolder.ForeignFileError {
            throw Failure(
                "'\(error.path)' was not written by 'squall sql generate'", exitCode: .cannotCreate,
                hint: "delete it, or choose another folder")
        } catch {
            let code = (error as? CocoaError)?.code
            let exitCode: ExitCode =
                code == .fileWriteOutOfSpace ? .ioError : code == .fileWriteNoPermission ? .noPermission : .cannotCreate
            throw Failure("cannot write to '\(out)': \(error.localizedDescription)", exitCode: exitCode)
        }
        for difference in folder.differences(from: files) { Console.printError("note: \(difference)".printable) }
    }
}

extension Access: @retroactive ExpressibleByArgument {}
