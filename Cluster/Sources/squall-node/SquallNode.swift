import ArgumentParser

/// Runs a node of a cluster, and takes care of clusters.
@main struct SquallNode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "squall-node",
        abstract: "Runs a node of a cluster of SQLite databases, and takes care of clusters.",
        discussion: """
            The status is 0 for success, 64 for wrong arguments, 65 for a damaged database or a copy that differs, \
            69 if a node, a port or a leader is not available, 73 if a file or database exists already, and 1 for other \
            errors.
            """,
        subcommands: subcommands)

    private static var subcommands: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = [
            Join.self, Status.self, Remove.self, Backup.self, Restore.self,
        ]
        #if os(Linux)
            commands = [Serve.self] + commands + [Recover.self]
        #endif
        return commands
    }
}
