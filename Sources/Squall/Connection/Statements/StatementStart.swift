import SquallSQLite

/// The first word of a statement, and the PRAGMA that it sets, read once before SQLite compiles the statement.
struct StatementStart {
    let verb: StatementVerb?
    /// The PRAGMA. Many PRAGMAs take effect when they are compiled, even as part of an EXPLAIN.
    let pragma: PragmaFacts?

    /// The setting of the connection that the statement changes; `nil` if it changes none.
    var setting: ConnectionSetting? {
        switch verb {
        case .attach, .detach: .databases
        default: pragma.flatMap { $0.isSetting ? .pragma($0.name, database: $0.database) : nil }
        }
    }
}

/// A setting of the connection that a statement changes.
enum ConnectionSetting {
    case pragma(Identifier, database: String?)
    /// The list of attached databases, which `ATTACH` and `DETACH` change.
    case databases
}

/// A statement that SQLite has compiled.
struct PreparedStatement {
    let handle: OpaquePointer
    let start: StatementStart
}

extension StatementVerb {
    /// Reads the first word of SQL; `nil` if it is not a verb.
    ///
    /// Not the tokens, for which the SQL would be copied: each statement that is prepared passes here.
    package init?(beginning sql: UnsafePointer<CChar>?) {
        guard var position = sql else { return nil }
        Self.skipBlanks(&position)
        var word = Packed()
        while case let byte = UInt8(bitPattern: position.pointee), byte.isOfWord {
            word.append(byte)
            position += 1
        }
        self.init(word)
    }

    /// Whether a statement with this verb may use a savepoint.
    var mayUseSavepoint: Bool { self == .savepoint || self == .release || self == .rollback }

    /// Whether a statement with this verb may commit an open transaction: `RELEASE` that of the outermost savepoint.
    var mayCommit: Bool { self == .commit || self == .end || self == .release }

    /// Skips space, comments, semicolons and byte order marks, which SQLite treats as space.
    static func skipBlanks(_ position: inout UnsafePointer<CChar>) {
        while true {
            switch UInt8(bitPattern: position.pointee) {
            case 0x20, 0x09, 0x0a, 0x0c, 0x0d:
                // A vertical tab is space after other space.
                repeat { position += 1 } while position.pointee == 0x0b
            case 0x3b: position += 1
            case 0xef where strncmp(position, "\u{feff}", 3) == 0: position += 3
            case 0x2d where position[1] == 0x2d:
                while position.pointee != 0, position.pointee != 0x0a { position += 1 }
            case 0x2f where position[1] == 0x2a && position[2] != 0:
                position += 2
                while position.pointee != 0, position.pointee != 0x2a || position[1] != 0x2f { position += 1 }
                if position.pointee != 0 { position += 2 }
            default: return
            }
        }
    }
}

extension StatementFacts {
    /// Reads the SQL of a prepared statement; `nil` without SQL.
    init?(of statement: OpaquePointer) {
        guard let sql = sqlite3_sql(statement) else { return nil }
        self.init(String(cString: sql))
    }
}
