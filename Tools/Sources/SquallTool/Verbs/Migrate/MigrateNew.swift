import ArgumentParser
import Foundation
import Squall

struct MigrateNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Makes an empty file for the next version, and prints its path."
    )

    @OptionGroup
    var files: MigrationFolder

    @Argument(help: "A title for the name of the file: \"add owners\" makes 002_add_owners.sql.")
    var title: String

    func run() throws {
        let directory = URL(fileURLWithPath: files.folder, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw Failure("cannot create the folder '\(files.folder)'", exitCode: .cannotCreate)
        }
        let schema = try files.read()
        let path = files.folder + "/" + Self.name(after: schema, title)
        let output = try Output(path: path)
        try output.write("-- \(title.printable)\n")
        try output.flush()
        try Output.printLine(path)
    }

    /// Returns the name of the next file, with as many digits as the last one, and at least three.
    private static func name(after schema: Schema, _ title: String) -> String {
        let digits = schema.versions.last?.file?.prefix { $0.isASCII && $0.isNumber }.count ?? 0
        // No number is greater than the greatest: the file is refused when it is read.
        let number = "\(schema.latestVersion == .max ? .max : schema.latestVersion + 1)"
        let padding = String(repeating: "0", count: max(0, max(digits, 3) - number.count))
        let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
        return ([padding + number] + words.map(String.init)).joined(separator: "_") + ".sql"
    }
}
