import Foundation

/// The public types of Squall and its annexes, and their methods and properties, from the symbol graphs of the compiler.
struct PublicMethods {
    /// A member of a type, as `Connection.run(_:_:)`. Overloads with the same labels are one, and so are generated ones that
    /// differ in the number of their arguments without labels.
    private(set) var members: Set<String> = []
    /// The classes, the actors and the types that cannot be copied: those that have a state.
    private(set) var statefulTypes: Set<String> = []
    /// The sequences and the iterators, also the asynchronous ones: their copies can share a connection or a database.
    private(set) var sequences: Set<String> = []

    /// Reads the symbol graphs of a folder: one of each module, and those of what a module adds to the types of others.
    init(symbolGraphs path: String) throws {
        let folder = URL(fileURLWithPath: path)
        for file in try FileManager.default.contentsOfDirectory(atPath: path) {
            let data = try Data(contentsOf: folder.appending(path: file))
            let graph = try JSONDecoder().decode(SymbolGraph.self, from: data)
            for symbol in graph.symbols where symbol.isDeclared { add(symbol) }
            addSequences(graph)
        }
    }

    private mutating func add(_ symbol: SymbolGraph.Symbol) {
        let name = symbol.pathComponents.joined(separator: ".")
        switch symbol.kind.identifier {
        case "swift.class", "swift.actor": statefulTypes.insert(name)
        case "swift.struct", "swift.enum":
            if symbol.declaration.contains("~Copyable") { statefulTypes.insert(name) }
        case "swift.method", "swift.property", "swift.init", "swift.subscript", "swift.type.method",
            "swift.type.property", "swift.func.op":
            guard let member = symbol.pathComponents.last else { return }
            let type = symbol.pathComponents.dropLast().joined(separator: ".")
            members.insert("\(type).\(Self.withoutArity(member))")
        default: break
        }
    }

    private mutating func addSequences(_ graph: SymbolGraph) {
        let names = graph.symbols.reduce(into: [:]) {
            $0[$1.identifier.precise] = $1.pathComponents.joined(separator: ".")
        }
        let suffixes = ["Sequence", "IteratorProtocol"]
        for relationship in graph.relationships where relationship.kind == "conformsTo" {
            guard let name = names[relationship.source], let target = relationship.targetFallback,
                suffixes.contains(where: { target.hasSuffix($0) })
            else { continue }
            sequences.insert(name)
        }
    }

    /// Shortens `run(_:_:_:_:)` to `run(_:_:)`.
    private static func withoutArity(_ name: String) -> String {
        let generated = ["bind", "run"]
        guard let base = name.split(separator: "(").first, generated.contains(String(base)) else { return name }
        let labels = name.dropFirst(base.count + 1).dropLast().split(separator: ":")
        guard labels.count > 2, labels.allSatisfy({ $0 == "_" }) else { return name }
        return "\(base)(_:_:)"
    }
}

/// The parts of a symbol graph that are read.
private struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable {
            let identifier: String
        }

        struct Identifier: Decodable {
            let precise: String
        }

        struct Fragment: Decodable {
            let spelling: String
        }

        struct Availability: Decodable {
            let isUnconditionallyUnavailable: Bool?
        }

        let kind: Kind
        let identifier: Identifier
        let pathComponents: [String]
        let accessLevel: String
        let declarationFragments: [Fragment]?
        let availability: [Availability]?

        /// Whether the source declares it as public. Members that a protocol of the standard library adds are not.
        var isDeclared: Bool {
            (accessLevel == "public" || accessLevel == "open") && !identifier.precise.contains("::SYNTHESIZED::")
                && !(availability ?? []).contains { $0.isUnconditionallyUnavailable == true }
        }

        var declaration: String { (declarationFragments ?? []).map(\.spelling).joined() }
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        /// The name of a target in another module.
        let targetFallback: String?
    }

    let symbols: [Symbol]
    let relationships: [Relationship]
}
