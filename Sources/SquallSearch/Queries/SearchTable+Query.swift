import Squall

// Queries that begin with a full-text search.

extension SearchTable {
    /// The query for the rows that a pattern matches.
    ///
    ///     notesSearch.search("NEAR(swift sqlite)").order { $0.rank }.limit(20)
    ///     // SELECT … FROM "notes" JOIN "notes_search" ON "notes_search".rowid = "notes"."id"
    ///     // WHERE "notes_search"."notes_search" MATCH ?
    ///     // ORDER BY "notes_search".rank ASC LIMIT ?
    ///
    /// A literal is FTS5's own syntax. A `String` variable becomes a pattern through ``SearchPattern/allWords(_:lastIsPrefix:)`` and
    /// its siblings.
    public func search(_ pattern: SearchPattern) -> Query<SearchColumns<Record>> {
        var clauses = QueryClauses()
        let alias = clauses.begin(with: core.entry)
        let rowID: SQL = "\(name: alias ?? core.name).\(name: definition.source?.rowID ?? "rowid")"
        let name = clauses.join(" JOIN ", entry) { "\(name: $0).rowid = \(rowID)" }
        let place = SearchPlace(definition: definition, name: name)
        clauses.addCondition(Condition("\(place.table) MATCH \(checked(pattern))", .comparison))
        let columns = Columns(core: core, place: ColumnPlace(table: alias))
        return Query(tables: SearchColumns(base: columns, place: place), clauses: clauses)
    }

    /// Returns a pattern as SQL, which throws if the index cannot find one of its words.
    func checked(_ pattern: SearchPattern) -> SQL {
        var sql: SQL = "\(pattern)"
        if definition.tokenizer.isTrigram, let word = pattern.shortWord {
            sql.fail(SQLiteError(SearchTableProblem.shortWord(word), of: .table(definition.name)))
        }
        return sql
    }
}

extension TableRecord {
    /// The query for the rows that a pattern matches in a search table; see ``SearchTable/search(_:)``.
    public static func search(_ pattern: SearchPattern, in table: SearchTable<Self>) -> Query<SearchColumns<Self>> {
        table.search(pattern)
    }
}

extension Searchable {
    /// The query for the rows that a pattern matches.
    ///
    ///     Note.search("NEAR(swift sqlite)").order { $0.rank }
    ///         .select { ($0.id, $0.snippet(\.body, around: "<b>", "</b>")) }
    ///
    /// For the SQL, see ``SearchTable/search(_:)``.
    public static func search(_ pattern: SearchPattern) -> Query<SearchColumns<Self>> { searchTable.search(pattern) }
}

extension Columns where Record: Searchable {
    /// The condition that a pattern matches the row, in any query of the table.
    ///
    ///     Author.join(Note.self) { $0.id == $1.author }.where { $1.matches("swift") }
    ///     // … WHERE "notes"."id" IN (
    ///     //     SELECT rowid FROM "notes_search" WHERE "notes_search" MATCH ?)
    public func matches(_ pattern: SearchPattern) -> Condition { matches(pattern, in: Record.searchTable) }
}

extension Columns {
    /// The condition that a pattern matches the row in a search table.
    public func matches(_ pattern: SearchPattern, in table: SearchTable<Record>) -> Condition {
        var search: SQL =
            "SELECT rowid FROM \(table.entry.sql) WHERE \(name: table.definition.name) MATCH \(table.checked(pattern))"
        if let failure = table.entry.failure { search.fail(failure) }
        let rowID = table.definition.source.flatMap { source in
            core.columns.first { $0.name.isSameName(as: source.rowID) }.map { reference(to: $0) }
        }
        return Condition("\(rowID ?? "rowid") IN (\(search))", .comparison)
    }
}
