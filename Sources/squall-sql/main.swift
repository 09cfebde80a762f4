import Foundation
import SquallSQLFiles

exit(
    GeneratorCommand.main(CommandLine.arguments) { command in
        try CheckedFiles.limitMemory()
        return try CheckedFiles(folder: command.folder, files: command.files)
    })
