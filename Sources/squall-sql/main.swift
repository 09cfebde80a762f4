import Foundation
import SquallSQLFiles

// Expressions can be nested a thousand levels deep, for which the stack of the main thread is too small in a debug build.
let checker = Thread {
    exit(
        GeneratorCommand.main(CommandLine.arguments) { command in
            try CheckedFiles.limitMemory()
            return try CheckedFiles(folder: command.folder, files: command.files)
        })
}
checker.stackSize = 256 << 20
checker.start()

// The deadline of the schema files does not end a statement that SQLite is still compiling, such as one on views that double.
let minutes: UInt32 = 2
sleep(minutes * 60)
FileHandle.standardError.write(Data("error: checking the SQL files takes longer than \(minutes) minutes\n".utf8))
exit(1)
