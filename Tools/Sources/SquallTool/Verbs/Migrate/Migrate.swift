import ArgumentParser

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the versions of a schema, a folder of numbered SQL files, on a database.",
        discussion: """
            EXAMPLES
              squall migrate new Migrations "add owners"
              squall migrate status app.db Migrations
              squall migrate up app.db Migrations --backup before.db
              squall migrate verify app.db Migrations

            The name of each file begins with the number of its version: the first example makes \
            Migrations/002_add_owners.sql. A file has no BEGIN and no COMMIT: each version is one transaction. \
            Versions that ran are recorded in the table squall_versions, with a checksum of the file. A program \
            runs the same folder with Schema(files:).
            """,
        subcommands: [MigrateNew.self, MigrateStatus.self, MigrateUp.self, MigrateVerify.self]
    )
}
