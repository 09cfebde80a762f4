import Squall
import SquallSearch

private struct Note: TableRecord {
    let id: Int64?
    let title: String
    let body: String
    let day: Int
    let isDeleted: Bool

    static let table = Table("notes", Note.init) {
        Column("id", \Note.id, .primaryKey)
        Column("title", \Note.title)
        Column("body", \Note.body)
        Column("day", \Note.day)
        Column("is_deleted", \Note.isDeleted)
    }
    /// The notes that are not deleted, by words and by their first letters.
    static let searchTable = SearchTable(
        "notes_search", of: table, columns: \.title, \.body, unindexed: [\.day], prefixes: [2],
        where: { $0.isDeleted == false })
}

private let firstVersion = Version(1) {
    CreateTable(Note.table.definition)
    CreateSearchTable("notes_search", of: "notes", rowID: "id", columns: "title", "body")
    CreateSearchTable("titles", of: "notes", rowID: "id", columns: "title", content: .own)
}

private let notes = SearchTableDefinition.Origin(table: "notes", rowID: "id")

/// Finds what a history lacks, adds it, and reads the search tables of the file.
func changeSearchTables(_ connection: Connection) throws {
    try Schema("notes") { firstVersion }.migrate(connection)
    let drift = try Schema("notes") { firstVersion }.drift(from: Note.table, searchTables: Note.searchTable)
    for change in drift.searchTables { print("    the history lacks: \(title(of: change))") }

    if let table = try connection.searchTableInfo("titles") { show(table) }
    let history = Schema("notes") {
        firstVersion
        Version(2) {
            DropSearchTable("titles")
            DropSearchTable("notes_search")
            CreateSearchTable(Note.searchTable.definition)
        }
    }
    try history.migrate(connection)
    print("    it lacks nothing now: \(try history.drift(from: Note.table, searchTables: Note.searchTable).isEmpty)")
    if let table = try connection.searchTableInfo("notes_search") { show(table) }

    // A table that is made without a history, such as one of a cache, is brought up to date in place.
    let words = SearchTableDefinition(
        "words", of: notes, columns: "body", content: SearchTableDefinition.Content.none,
        detail: .column, hasColumnSizes: false)
    try bringUpToDate(words, on: connection)
    var stems = words
    stems.tokenizer = .porter()
    try bringUpToDate(stems, on: connection)
    try bringUpToDate(stems, on: connection)
    if let table = try connection.searchTableInfo("words") { show(table) }
}

private func title(of change: SearchTableChange) -> String {
    switch change {
    case .create(let table): "\(table.name)"
    case .replace(let old, let new):
        "\(new.name) with \(columns(new)) by \(new.tokenizer.words), not \(columns(old)) by \(old.tokenizer.words)"
    }
}

private func columns(_ table: SearchTableDefinition) -> String {
    table.columns.map(\.name).joined(separator: "/")
}

private func bringUpToDate(_ table: some SearchTableProtocol, on connection: Connection) throws {
    for change in try connection.changes(toMatch: table) {
        print("    changed: \(title(of: change))")
        switch change {
        case .create(let new): try connection.create(new)
        case .replace(let old, let new):
            try connection.drop(old)
            try connection.create(new)
        }
    }
}

/// Prints what a search table can do, from its definition.
private func show(_ table: SearchTableDefinition) {
    let indexed = table.columns.filter(\.isIndexed).map(\.name)
    print("    \(table.name) searches \(indexed.joined(separator: " and ")) with \(table.tokenizer.words)")
    switch table.content {
    case .external: print("      it reads the text from \(table.source?.table ?? "?")")
    case .own: print("      it has a copy of the text")
    case .none: print("      it has no text, and cannot highlight")
    }
    if let condition = table.source?.condition { print("      rows: \(condition.text)") }
    if !table.prefixes.isEmpty { print("      the first \(table.prefixes) characters have an index") }
    if let limit = limit(of: table.detail) { print("      it finds no \(limit)") }
    if !table.hasColumnSizes { print("      it cannot rank by bm25") }
}

/// Returns what an index with less detail cannot find.
private func limit(of detail: SearchTableDefinition.Detail) -> String? {
    switch detail {
    case .full: nil
    case .column: "phrases"
    case .none: "phrases, and nothing in a column alone"
    }
}
