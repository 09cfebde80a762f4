import Foundation
import Squall

/// A database in memory that has run the history of a schema.
///
/// The files are not trusted: an authorizer refuses other files and settings, the database is limited, and a deadline ends what
/// takes too long.
struct SchemaRun {
    let connection: Connection
    private(set) var catalog = Catalog()
    private(set) var changes = SchemaChangeLog()
    private(set) var diagnostics: [Diagnostic] = []

    private var types = SchemaTypes()
    private let guardian = SchemaGuard()
    private let deadline: Duration

    /// The settings of the database.
    private static func configuration(_ deadline: Duration) -> Configuration {
        var configuration = Configuration()
        configuration.doubleQuotedStrings = false
        configuration.trustedSchema = true
        configuration.defensive = true
        configuration.timeLimit = deadline
        configuration.limits = [.length: 50_000_000, .attached: 0]
        return configuration
    }

    /// - Parameters:
    ///   - functions: The functions that comments declare.
    ///   - collations: The names of the collations that comments declare.
    ///   - deadline: The maximum duration of all files.
    /// - Throws: ``SQLiteError`` if the database or an extension cannot be opened.
    init(
        _ history: [SQLFolder.Version], functions: [FunctionDeclaration] = [], collations: [String] = [],
        extensions: [String] = [], deadline: Duration = .seconds(10)
    ) throws {
        self.deadline = deadline
        connection = try Connection(":memory:", configuration: Self.configuration(deadline))
        // Sorting and temporary tables would write files; 100 MB are enough for a schema.
        try connection.execute("PRAGMA temp_store = MEMORY; PRAGMA max_page_count = 25000")
        for path in extensions { try connection.loadExtension(path) }
        let guardian = guardian
        connection.addAuthorizer { action, first, second, _, source in guardian.decide(action, first, second, source) }
        let parts = history.map { ($0, FileParts($0.source).parts) }
        var (functions, collations) = (functions, collations)
        for (version, parts) in parts { Self.collect(parts, version.source, &functions, &collations) }
        try add(functions, collations)
        let start = ContinuousClock.now
        for (version, parts) in parts {
            guard run(parts, version, until: start + deadline) else { return }
        }
        catalog = try CatalogReader(connection, types, functions).catalog()
    }

    // MARK: Functions

    private static func collect(
        _ parts: [FileParts.Part], _ source: SourceText, _ functions: inout [FunctionDeclaration],
        _ collations: inout [String]
    ) {
        let comments = parts.flatMap { part -> [Comment] in
            switch part {
            case .comment(let comment): [comment]
            case .statement(_, let comments): comments
            }
        }
        for comment in comments {
            switch CommentDeclaration(comment, in: source) {
            case .function(let function)?: functions.append(function)
            case .collation(let name)?: collations.append(name)
            default: break
            }
        }
    }

    /// Adds the functions and the collations, so that SQL that names them compiles.
    private func add(_ functions: [FunctionDeclaration], _ collations: [String]) throws {
        for function in functions {
            try connection.addScalarFunction(
                named: function.name.spelling, argumentCount: Int8(clamping: function.arguments?.count ?? -1),
                deterministic: true
            ) { _, _ in .null }
        }
        for name in collations {
            try connection.addCollation(name) {
                $0 < $1 ? .orderedAscending : $0 == $1 ? .orderedSame : .orderedDescending
            }
        }
    }

    // MARK: Files

    /// Runs a file in a transaction, and returns whether it succeeded.
    private mutating func run(
        _ parts: [FileParts.Part], _ version: SQLFolder.Version, until end: ContinuousClock.Instant
    ) -> Bool {
        let source = version.source
        var above: [Comment] = []
        do {
            try own { try connection.execute("BEGIN") }
            for part in parts {
                switch part {
                case .comment(let comment): above.append(comment)
                case .statement(let statement, let comments):
                    try run(statement, version, until: end)
                    try declare(above + comments, source)
                    above = []
                }
            }
            try declare(above, source)
            try own { try connection.execute("COMMIT") }
            return true
        } catch let diagnostic as Diagnostic {
            diagnostics.append(diagnostic)
        } catch {
            diagnostics.append(Diagnostic(.error, "\(error)", at: .start(of: source.path)))
        }
        return false
    }

    private func own(_ body: () throws -> Void) rethrows {
        guardian.isOff = true
        defer { guardian.isOff = false }
        try body()
    }

    private mutating func run(
        _ statement: SourceStatement, _ version: SQLFolder.Version, until end: ContinuousClock.Instant
    ) throws {
        let source = version.source
        guardian.start()
        do {
            guard ContinuousClock.now < end else {
                throw Diagnostic(.error, tooLong, at: source.location(at: statement.offset))
            }
            try connection.execute(SQL(raw: statement.text))
        } catch let error as SQLiteError {
            let place = source.location(at: statement.offset + (error.offset ?? 0))
            var message = guardian.reason ?? error.message
            if case .interrupted = error.kind { message = tooLong }
            throw Diagnostic(.error, message, at: place)
        }
        guard let alteration = Alteration(statement.text) else { return }
        types.apply(alteration)
        changes.note(alteration, in: "version \(version.number) (\(source.path.lastComponent))")
    }

    private var tooLong: String { "the schema files take longer than \(deadline)" }

    // MARK: Types

    /// Notes the types that comments declare for the table that the last statement has created or altered.
    private mutating func declare(_ comments: [Comment], _ source: SourceText) throws {
        for comment in comments {
            let location = source.location(at: comment.offset)
            switch CommentDeclaration(comment, in: source) {
            case .type(let table, let key, let type)?:
                guard let name = table.map({ Name($0) }) ?? guardian.changed.first else {
                    throw Diagnostic(
                        .error, "the table of \(key) is not certain: write -- table.\(key): \(type.type.name)",
                        at: location)
                }
                guard try has(Name(key), name) else {
                    throw Diagnostic(.error, "\(name) has no column \(key)", at: location)
                }
                types.declare(type, for: Name(key), of: name)
            case .invalid(let message)?: throw Diagnostic(.error, message, at: location)
            case .name?, .row?, .noScan?:
                throw Diagnostic(.error, "queries do not stand in the folder schema", at: location)
            case .function?, .collation?, nil: break
            }
        }
        guardian.start()
    }

    private func has(_ column: Name, _ table: Name) throws -> Bool {
        var names: [String] = []
        try own { names = try connection.query("SELECT name FROM pragma_table_xinfo(\(table.spelling))") }
        return names.contains { Name($0) == column }
    }
}
