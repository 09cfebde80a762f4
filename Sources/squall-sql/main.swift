import Foundation
import SquallSQLFiles

exit(
    GeneratorCommand.main(CommandLine.arguments) { command in
        let place = SourceLocation(file: command.files.first ?? command.folder, line: 1, column: 1)
        throw DiagnosticsError([Diagnostic(.error, "SQL files cannot be checked yet", at: place)])
    })
