/// The public members and types that have no calls, with the reasons.
enum Exclusions {
    private static let changesProcess = "it changes every connection that the process opens afterwards"
    private static let value = "it uses no connection: it reads a stored value"
    private static let ownConnection = "it opens a connection in memory of its own, and uses no other"

    static let members: [String: String] = [
        "Connection.cancel(automatic:)": changesProcess,
        "Connection.register(automatic:)": changesProcess,
        "Limits.standard": value,
        "Limits.untrusted": value,
        "Row.subscript(_:_:_:)": "it stops the program where the value has another type, which is documented",
        "Schema.init(_:files:)": "it reads files, and uses no connection",
        "Schema.init(_:versions:)": value,
        "Schema.latestVersion": value,
        "Schema.name": value,
        "Schema.versions": value,
        "Schema.drift(from:searchTables:configuration:preparation:)": ownConnection,
        "Schema.drift(from:configuration:preparation:)": ownConnection,
        "Schema.verify(configuration:preparation:)": ownConnection,
    ]

    private static let valid = "it is only valid in a call of SQLite, which the situations make"

    static let types: [String: String] = [
        "ExpectedSchema": "it is a constant, and a class only for its identity",
        "ThrowingRows": "it uses no connection: a virtual table returns it, whose situations iterate",
        "Live": "it belongs to the main actor, and reads as `observe` does",
        "SearchMatch": valid,
        "Sections": value,
        "VirtualTableScan": valid,
        "SpatialCandidate": valid,
        "TokenEmitter": valid,
        "WrittenRow": valid,
    ]
}
