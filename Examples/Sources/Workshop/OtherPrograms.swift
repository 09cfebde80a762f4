import Squall

/// Opens files that this version of the program did not write.
func openFilesOfOtherPrograms() throws {
    func version(_ number: Int, _ table: String) -> Version {
        Version(number) { CreateTable(table) { ColumnDef("a", Int.self) } }
    }

    print("Files of other programs:")
    let future = try Connection(":memory:")
    try Schema("app") {
        version(3, "t3")
        version(4, "t4")
    }.migrate(future)
    let past = try Connection(":memory:")
    try Schema("app") { version(1, "t1") }.migrate(past)

    let present = Schema("app") {
        version(2, "t2")
        version(3, "t3")
    }
    // A later program can be used beside this one, if it only adds to the schema.
    try open(future, present, "a later program")
    try open(future, present, "a later program", .acceptNewerFiles)
    // A cache is emptied rather than converted.
    try open(past, present, "a program of long ago")
    try open(past, present, "a program of long ago", .startOverFromOldVersions)
    print("  tables: \(try past.tableNames().filter { $0.hasPrefix("t") }.joined(separator: ", "))")

    // A version that another branch has added later, below the version of the file, and one that was edited.
    let branch = Schema("app") {
        version(2, "changed")
        version(3, "t3")
    }
    let merged = Schema("app") {
        version(1, "t1")
        version(2, "t2")
        version(3, "t3")
    }
    print("  \(summary(of: try branch.status(of: past)))")
    print("  \(summary(of: try merged.status(of: past)))")
}

private func open(_ file: Connection, _ schema: Schema, _ program: String, _ options: MigrationOptions = []) throws {
    do {
        let hasChanged = try schema.migrate(file, options: options)
        print("  a file of \(program) is \(hasChanged ? "migrated" : "used as it is")")
    } catch let error as SchemaError {
        print("  a file of \(program) is refused: \(error)")
    }
}

private func summary(of status: SchemaStatus) -> String {
    let edited = status.applied.filter { (applied: SchemaStatus.Applied) in applied.isEdited }.map(\.version)
    if status.isUpToDate, edited.isEmpty { return "version \(status.version) of \(status.latest)" }
    return
        "version \(status.version) of \(status.latest), never run: \(status.skipped), edited since they ran: \(edited)"
}
