import Foundation
import SquallSQLFiles

exit(GeneratorCommand.main(CommandLine.arguments) { try CheckedFiles(folder: $0.folder, files: $0.files) })
