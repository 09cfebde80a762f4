import ArgumentParser
import Foundation
import Squall

/// A folder of numbered SQL files, and the name of their schema.
struct MigrationFolder: ParsableArguments {
    @Argument(help: "The folder of the SQL files.")
    var folder: String

    @Option(help: ArgumentHelp("The name of the schema in the table squall_versions.", valueName: "name"))
    var schema = "main"

    /// Reads the files.
    ///
    /// - Throws: ``Failure``, which names the folder.
    func read() throws -> Schema {
        guard FileManager.default.fileExists(atPath: folder) else {
            throw Failure("cannot open '\(folder)': No such file or directory", exitCode: .noInput)
        }
        do {
            return try Schema(schema, files: URL(fileURLWithPath: folder, isDirectory: true))
        } catch let error as SchemaError {
            throw Failure(error, folder: folder)
        } catch let error as ScriptFileError {
            throw error
        } catch {
            throw Failure("cannot read the folder '\(folder)'", exitCode: .noInput)
        }
    }
}
