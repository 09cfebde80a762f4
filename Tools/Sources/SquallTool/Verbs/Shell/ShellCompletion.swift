import Squall

/// Completes keywords, tables, columns and commands.
struct ShellCompletion {
    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Completes the word before the cursor as far as it is certain.
    ///
    /// - Returns: The words that could follow, if there are several and nothing could be added.
    func complete(_ editor: inout LineEditor) -> [String] {
        let (word, candidates) = candidates(for: editor.before)
        guard let first = candidates.first else { return [] }
        let common = candidates.dropFirst().reduce(first) { Self.commonPrefix($0, $1) }
        if candidates.count == 1 {
            editor.replace(last: word.count, with: first + " ")
        } else if common.count > word.count {
            editor.replace(last: word.count, with: common)
        } else {
            return candidates
        }
        return []
    }

    /// Returns the word that the text ends with, and what it can become.
    func candidates(for text: String) -> (word: String, candidates: [String]) {
        if text.hasPrefix("."), !text.contains(" ") { return (text, DotCommand.names.filter { $0.hasPrefix(text) }) }
        let word = String(text.suffix(while: \.isOfWord))
        let before = text.dropLast(word.count)
        if before.last == "." {
            let table = String(before.dropLast().suffix(while: \.isOfWord))
            return (word, Self.matches(of: word, columns(of: table)))
        }
        if text.hasPrefix(".") { return (word, Self.matches(of: word, tables)) }
        guard !word.isEmpty else { return (word, []) }
        let keywords = Self.keywords.map { word.last?.isLowercase == true ? $0.lowercased() : $0 }
        return (word, Self.matches(of: word, tables + allColumns, keywords: keywords))
    }

    /// Returns the names that begin with a word, which is written without quotes, as they must be written.
    private static func matches(of word: String, _ names: [String], keywords: [String] = []) -> [String] {
        let start = word.asciiUppercased
        let matches = names.filter { $0.asciiUppercased.hasPrefix(start) }.map(written)
        return Set(matches + keywords.filter { $0.asciiUppercased.hasPrefix(start) }).sorted {
            $0.asciiUppercased < $1.asciiUppercased
        }
    }

    /// Returns the beginning that two words have in common, in any case.
    private static func commonPrefix(_ left: String, _ right: String) -> String {
        let pairs = zip(left, right).prefix { String($0).asciiUppercased == String($1).asciiUppercased }
        return String(left.prefix(pairs.count))
    }

    // An error, such as a locked file, must not disturb who types: nothing is completed then.

    private var tables: [String] {
        let names: [String]? = try? connection.query(
            "SELECT name FROM main.sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
        return names ?? []
    }

    private func columns(of table: String) -> [String] {
        let names: [String]? = try? connection.query("SELECT name FROM pragma_table_xinfo(\(table)) WHERE hidden <> 1")
        return names ?? []
    }

    private var allColumns: [String] {
        let names: [String]? = try? connection.query(
            """
            SELECT DISTINCT c.name FROM main.sqlite_master AS t, pragma_table_xinfo(t.name) AS c
            WHERE t.type = 'table' AND c.hidden <> 1
            """
        )
        return names ?? []
    }

    /// A name as it must be written: in quotes if it is not a word.
    private static func written(_ name: String) -> String {
        let isPlain =
            name.allSatisfy(\.isOfWord) && name.first?.isNumber == false && !keywords.contains(name.uppercased())
        return isPlain ? name : name.quotedName
    }

    private static let keywords = """
        ADD ALL ALTER ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEGIN BETWEEN BY CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT \
        CONFLICT CONSTRAINT CREATE CROSS CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DEFAULT DEFERRED DELETE DESC DETACH \
        DISTINCT DROP ELSE END ESCAPE EXCEPT EXCLUSIVE EXISTS EXPLAIN FOREIGN FROM FULL GENERATED GLOB GROUP HAVING IF \
        IMMEDIATE IN INDEX INNER INSERT INTERSECT INTO IS ISNULL JOIN KEY LEFT LIKE LIMIT MATCH NATURAL NOT NOTNULL NULL OFFSET \
        ON OR ORDER OUTER OVER PARTITION PLAN PRAGMA PRIMARY QUERY RECURSIVE REFERENCES REINDEX RELEASE RENAME REPLACE \
        RETURNING RIGHT ROLLBACK ROW ROWS SAVEPOINT SELECT SET STRICT TABLE TEMP THEN TO TRANSACTION TRIGGER UNION UNIQUE \
        UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT
        """.split(separator: " ").map(String.init)
}

extension StringProtocol {
    /// The longest end of the text whose characters meet a condition.
    fileprivate func suffix(while condition: (Character) -> Bool) -> SubSequence {
        self[(lastIndex { !condition($0) }.map(index(after:)) ?? startIndex)...]
    }
}
