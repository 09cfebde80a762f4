import Squall

/// The module of a virtual table, which decides about the types of its columns.
struct VirtualTable {
    /// The name of the module in lower case.
    let module: String
    let hasRowID: Bool
    /// The types that the auxiliary columns of an R*Tree are written with: `+name TEXT`. SQLite does not report them.
    private let auxiliaryTypes: [Identifier: String]

    /// Reads a `CREATE VIRTUAL TABLE` that SQLite has accepted; `nil` for something else.
    init?(_ sql: String, hasRowID: Bool) {
        let tokens = SQLTokenizer.tokens(of: sql)
        guard let using = tokens.firstIndex(where: { $0.is("USING") }), let module = tokens[safe: using + 1] else {
            return nil
        }
        self.module = module.text.asciiFolded
        self.hasRowID = hasRowID
        auxiliaryTypes = self.module.hasPrefix("rtree") ? Self.auxiliaryTypes(tokens[(using + 2)...]) : [:]
    }

    private static func auxiliaryTypes(_ tokens: ArraySlice<Token>) -> [Identifier: String] {
        let columns = tokens.dropFirst().dropLast().split { $0.is(",") }
        let auxiliary = columns.filter { $0.first?.is("+") == true && $0.count > 1 }.map { column in
            (Identifier(column[column.startIndex + 1].text), column.dropFirst(2).map(\.text).joined(separator: " "))
        }
        return Dictionary(auxiliary) { first, _ in first }
    }

    /// Returns the type of a column, and whether it is never NULL.
    func type(
        ofColumn name: Identifier, at index: Int, declared: String, isHidden: Bool
    ) -> (type: ValueType?, isNotNull: Bool) {
        switch module {
        case "fts5": return (isHidden && name == "rank" ? .double : .string, false)
        case "fts3", "fts4": return (isHidden && name == "docid" ? .rowID : .string, false)
        case "rtree", "rtree_i32":
            if index == 0 { return (.rowID, true) }
            if let type = auxiliaryTypes[name] { return (ValueType(declared: type), false) }
            return (module == "rtree" ? .double : .int, true)
        default: return (ValueType(declared: declared), false)
        }
    }
}
