import ArgumentParser
import Squall

struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Searches the text of a table for rows that have all the words.",
        discussion: """
            EXAMPLES
              squall search app.db notes garden tomato*
              squall search app.db notes "New York" --limit 5 --format json

            A full-text index (FTS5) is used if the table is one or has one: the best rows come first, and the words are \
            in brackets. In a table, long texts are cut around them. A word with '*' at its end finds the words that begin with it, and \
            several words in quotes are found in their order.

            Otherwise all rows are read, and a word is found anywhere in the text; the case of ASCII letters makes no \
            difference.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: "A full-text table, a table with one, or any other table or view.")
    var table: String

    @Argument(help: "The words.")
    var words: [String]

    @Option(help: ArgumentHelp("The most rows that are printed.", valueName: "count"))
    var limit: UInt32 = 20

    @Option(help: "How the rows are printed.")
    var format: OutputFormat = .table

    func validate() throws {
        guard !words.isEmpty else { throw ValidationError("There is no word to search for.") }
        _ = try words.map(SearchWord.init)
    }

    func run() throws {
        let words = try words.map(SearchWord.init)
        try source.database.use { connection in
            let listing = try connection.tableListing(named: table)
            let index = try connection.fullTextIndex(of: listing.name)
            let sql = try index.map { try match($0, words, connection) } ?? scan(listing, words, connection)
            if index == nil {
                Console.printError("note: no full-text index of \(listing.name): all rows are read".printable)
            }
            let output = Output()
            try output.flushing { try output.write(rowsOf: connection.prepare(sql), as: format) }
        }
    }

    // MARK: - With an index

    private func match(_ index: String, _ words: [SearchWord], _ connection: Connection) throws -> SQL {
        let columns = try connection.columnListings(of: index).filter { !$0.isHidden }.map(\.name)
        let terms = columns.enumerated().map { position, column -> SQL in
            let place: SQL = "\(name: index), \(raw: "\(position)"), '[', ']'"
            // A table has one line for each row.
            let text: SQL = format == .table ? "snippet(\(place), '…', 16)" : "highlight(\(place))"
            return "\(text) AS \(name: column)"
        }
        let expression = words.map(\.matchExpression).joined(separator: " ")
        return """
            SELECT rowid, \(terms.joined(separator: ", ")) FROM main.\(name: index)(\(expression))
            ORDER BY bm25(\(name: index)), rowid LIMIT \(Int(limit))
            """
    }

    // MARK: - Without an index

    private func scan(_ listing: TableListing, _ words: [SearchWord], _ connection: Connection) throws -> SQL {
        let all = try connection.columnListings(of: listing.name).filter { !$0.isHidden }
        let columns = all.filter { mayHaveText($0.type) }.map(\.name)
        guard !columns.isEmpty else {
            throw SQLiteError(code: ResultCode.error.rawValue, message: "\(listing.name) has no column of text")
        }
        let conditions = words.map { word -> SQL in
            let terms = columns.map { column -> SQL in
                "\(name: listing.name).\(name: column) LIKE \(word.likePattern) ESCAPE '\\'"
            }
            return "(\(terms.joined(separator: " OR ")))"
        }
        return """
            SELECT \(try rowID(of: listing, all.map(\.name), connection))* FROM main.\(name: listing.name)
            WHERE \(conditions.joined(separator: " AND ")) LIMIT \(Int(limit))
            """
    }

    private func mayHaveText(_ type: String) -> Bool {
        let type = type.uppercased()
        let names = ["CHAR", "CLOB", "TEXT", "STRING", "JSON", "DATE", "TIME", "ANY"]
        return type.isEmpty || !type.contains("INT") && names.contains(where: type.contains)
    }

    /// Returns the rowid as a first column, unless there is none or a column has it.
    private func rowID(of listing: TableListing, _ columns: [String], _ connection: Connection) throws -> SQL {
        guard listing.kind != .view, !listing.isWithoutRowID,
            try connection.tableInfo(listing.name)?.rowIDColumn == nil,
            !columns.contains(where: { $0.isSameName(as: "rowid") })
        else { return "" }
        return "rowid, "
    }
}

extension Connection {
    /// Returns the full-text table that has the text of a table, which may be the table itself.
    fileprivate func fullTextIndex(of table: String) throws -> String? {
        let indexes = try schemaEntries().filter { $0.module?.name.isSameName(as: "fts5") == true }
        if let own = indexes.first(where: { $0.name.isSameName(as: table) }) { return own.name }
        // `content='notes'`
        return indexes.first { index in
            (index.module?.arguments ?? []).contains { argument in
                argument.count == 3 && argument[0].canBeName && argument[0].text.isSameName(as: "content")
                    && argument[1].is("=") && argument[2].text.isSameName(as: table)
            }
        }?.name
    }
}
