/// Writes the SQL of a query as Swift source.
struct StatementSource {
    let query: GeneratedQuery
    let index: Int

    private var statement: CheckedQuery.Statement { query.query.statements[index] }

    /// The parameters, in the order of their first use.
    private var used: [Int] {
        var used: [Int] = []
        for case .parameter(let index) in statement.pieces where !used.contains(index) { used.append(index) }
        return used
    }

    /// The values for the parameters of SQL that is written once.
    var values: [String] { used.map { query.parameters[$0].binding } }

    /// Returns the literal of SQL that is written once, with its parameters by name.
    func literal(indentation: String) -> String {
        let text = statement.pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .parameter(let index): sqlName(index)
            case .list: "squall_array(?)"
            }
        }
        return SwiftLiteral(text.joined()).source(indentation: indentation)
    }

    /// Returns the literal of SQL that is made for each call, with its values.
    func interpolatedLiteral(indentation: String) -> String {
        let parts = statement.pieces.map { piece -> SwiftLiteral.Part in
            switch piece {
            case .text(let text): .text(text)
            case .parameter(let index): .interpolation(query.parameters[index].binding)
            case .list(let index): .interpolation("array: \(query.parameters[index].binding)")
            }
        }
        return SwiftLiteral(parts).source(indentation: indentation)
    }

    /// Returns a parameter in SQL: `:limit`, or `?2` for a name that SQLite does not allow there.
    private func sqlName(_ index: Int) -> String {
        let name = query.query.parameters[index].name
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "$"), 0x80...:
                    true
                default: false
                }
            }
        return isName ? ":\(name)" : "?\((used.firstIndex(of: index) ?? 0) + 1)"
    }
}
