import ArgumentParser
import Squall

/// The database that a verb works on, as its first argument, and how long to wait for its locks.
struct DatabaseArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The database; ':memory:' for an empty one.", valueName: "database"), completion: .file()
    )
    var file: String

    @Option(help: ArgumentHelp("How long to wait for a database that is locked.", valueName: "seconds"))
    var timeout: UInt32 = 5

    @OptionGroup(title: "Encrypted files")
    var encryption: KeyArguments

    var database: DatabaseFile { DatabaseFile(path: file, timeout: timeout, key: encryption.key) }
}
