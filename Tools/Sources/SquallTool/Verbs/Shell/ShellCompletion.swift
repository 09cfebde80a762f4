import Squall
import SquallBase

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
            editor.replace(lastBytes: word.utf8.count, with: first + " ")
        } else if common.unicodeScalars.count > word.unicodeScalars.count {
            editor.replace(lastBytes: word.utf8.count, with: common)
        } else {
            return candidates
        }
        return []
    }

    /// Returns the word that the text ends with, and what it can become. A word in quotes includes the quote that begins it.
    func candidates(for text: String) -> (word: String, candidates: [String]) {
        let isCommand = text.hasPrefix(".")
        if isCommand, !text.contains(" ") { return (text, DotCommand.names.filter { $0.hasPrefix(text) }) }
        var tokens = Array(SQLTokenizer(text))
        guard let last = tokens.last, !Self.isInTextOrComment(last) else { return ("", []) }
        if last.kind == .name, !last.isTerminated {
            tokens.removeLast()
            let names = columns(of: tokens) ?? (isCommand ? tables : tables + allColumns)
            return (last.source, Self.matches(ofQuoted: last, names, isCommand: isCommand))
        }
        let word = last.kind == .word ? last.source : ""
        if last.kind == .word { tokens.removeLast() }
        if let columns = columns(of: tokens) { return (word, Self.matches(of: word, columns)) }
        if isCommand { return (word, Self.matches(of: word, tables)) }
        guard !word.isEmpty else { return (word, []) }
        let keywords = Self.keywords.map { word.last?.isLowercase == true ? $0.lowercased() : $0 }
        return (word, Self.matches(of: word, tables + allColumns, keywords: keywords))
    }

    /// Returns whether the text ends inside a literal or a comment, where nothing is completed.
    private static func isInTextOrComment(_ last: Token) -> Bool {
        switch last.kind {
        case .text, .blob: !last.isTerminated
        // A comment of one line ends with its line, which is then followed by a space.
        case .comment: !last.isTerminated || last.source.hasPrefix("--")
        default: false
        }
    }

    /// Returns the columns of the table that precedes the word and its dot; `nil` without a dot.
    private func columns(of tokens: [Token]) -> [String]? {
        guard let dot = tokens.last, dot.is(".") else { return nil }
        guard let table = tokens.dropLast().last, table.kind == .word || table.kind == .name else { return nil }
        return columns(of: table.text)
    }

    /// Returns the names that begin with a word, which is written without quotes, as they must be written.
    private static func matches(of word: String, _ names: [String], keywords: [String] = []) -> [String] {
        sorted(matching(word, names).map(written) + keywords.filter { begins($0, with: word) })
    }

    /// Returns the names that begin with a word behind its quote, in quotes of the same kind.
    ///
    /// - Parameter isCommand: Whether it is the argument of a command, which has only double quotes.
    private static func matches(ofQuoted begun: Token, _ names: [String], isCommand: Bool) -> [String] {
        let quote = begun.source.unicodeScalars.first ?? "\""
        let written = matching(begun.text, names).map { name in
            switch quote {
            // No bracket can be written in brackets.
            case "[" where !isCommand && !name.utf8.contains(UInt8(ascii: "]")): "[\(name)]"
            case "`" where !isCommand: "`\(name.inserting("`", before: ["`"]))`"
            default: name.quotedName
            }
        }
        return sorted(written)
    }

    /// Returns the names that begin with a word. A name with a control character could not be shown as it is.
    private static func matching(_ word: String, _ names: [String]) -> [String] {
        names.filter { begins($0, with: word) && $0.printable == $0 }
    }

    private static func begins(_ name: String, with start: String) -> Bool {
        name.asciiUppercased.utf8.starts(with: start.asciiUppercased.utf8)
    }

    /// Returns the words in order, each once.
    private static func sorted(_ words: [String]) -> [String] {
        var seen: Set<ExactName> = []
        return words.filter { seen.insert(ExactName($0)).inserted }
            .sorted { $0.asciiUppercased < $1.asciiUppercased }
    }

    /// Returns the beginning that two words have in common, in any case.
    private static func commonPrefix(_ left: String, _ right: String) -> String {
        let pairs = zip(left.unicodeScalars, right.unicodeScalars)
            .prefix { String($0).asciiUppercased == String($1).asciiUppercased }
        return String(String.UnicodeScalarView(left.unicodeScalars.prefix(pairs.count)))
    }

    // An error, such as a locked file, must not disturb who types: nothing is completed then.

    private var tables: [String] {
        ((try? connection.storedEntries()) ?? []).filter { $0.isTableOrView && !$0.isOfSQLite }.map(\.name)
    }

    private func columns(of table: String) -> [String] {
        let columns = try? connection.columnListings(of: table, in: nil)
        return (columns ?? []).filter { !$0.isHidden }.map(\.name)
    }

    private var allColumns: [String] {
        let tables = ((try? connection.storedEntries()) ?? []).filter { $0.kind == .table }.map(\.name)
        return Array(Set(tables.flatMap(columns)))
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
