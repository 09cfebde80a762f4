/// The public declarations of a module that a reader of its documentation meets.
///
/// These are not part of it: declarations that are hidden from the documentation, those that are unavailable (they exist for
/// their message), witnesses of the requirements of a protocol, and their defaults. The compiler leaves out the hidden ones and the
/// witnesses. The symbol graph has neither `noasync` nor the argument of `some Sequence<Element>`.
struct PublicFace {
    private let graphs: [SymbolGraph]
    /// The names of the protocols to which a type or an extension conforms.
    private let conformances: [String: [String]]
    private(set) var declarations: [Declaration] = []

    /// Protocols to which nearly every type conforms.
    private static let implied: Set<String> = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"]

    init(_ graphs: [SymbolGraph]) {
        self.graphs = graphs
        let relationships = graphs.flatMap(\.relationships)
        let symbols = graphs.flatMap(\.symbols)
        let names = Dictionary(
            symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
            uniquingKeysWith: { first, _ in first })
        conformances = Dictionary(grouping: relationships.filter { $0.kind == "conformsTo" }, by: \.source)
            .mapValues { $0.compactMap { names[$0.target] ?? $0.targetFallback } }
        let defaults = Set(relationships.filter { $0.kind == "defaultImplementationOf" }.map(\.source))
        let requirements = Set(relationships.filter { $0.kind == "requirementOf" }.map(\.source))
        declarations = symbols.filter {
            !$0.isUnavailable && !$0.isExtension && !defaults.contains($0.identifier.precise)
        }
        .map { declaration(of: $0, isRequirement: requirements.contains($0.identifier.precise)) }
        declarations += extensions(symbols.filter(\.isExtension))
        declarations.sort()
    }

    /// The number of declarations. A list of conformances is none.
    var count: Int { declarations.count { $0.rank != .conformance } }

    /// The names with which an instance of a type is completed.
    func completions(of type: String) -> Set<String> {
        Set(declarations.filter { $0.path == type && $0.isCompleted }.map(\.name))
    }

    /// The names of which a text uses no form, each with its type.
    func unusedNames(in text: CompiledText) -> [String] {
        let used = Set(declarations.filter(text.uses).map(\.name))
        let unused = declarations.filter { !used.contains($0.name) }
        return Set(unused.map { $0.rank == .type || $0.path.isEmpty ? $0.name : "\($0.path).\($0.name)" }).sorted()
    }

    private func declaration(of symbol: SymbolGraph.Symbol, isRequirement: Bool) -> Declaration {
        let path = (symbol.isType ? symbol.pathComponents : symbol.pathComponents.dropLast()).joined(separator: ".")
        return Declaration(
            path: path, constraint: symbol.constraint, rank: symbol.isType ? .type : .member,
            kind: String(symbol.keyword), name: String(symbol.name),
            text: (isRequirement ? "requirement " : "") + symbol.text + list(conformances(of: symbol)))
    }

    /// Returns one declaration for the conformances of each type of another module.
    private func extensions(_ symbols: [SymbolGraph.Symbol]) -> [Declaration] {
        Dictionary(grouping: symbols) { $0.pathComponents.joined(separator: ".") + $0.constraint }.values.compactMap {
            symbols in
            let protocols = Set(symbols.flatMap(conformances)).sorted()
            guard let first = symbols.first, !protocols.isEmpty else { return nil }
            let path = first.pathComponents.joined(separator: ".")
            return Declaration(
                path: path, constraint: first.constraint, rank: .conformance, kind: "extension", name: "",
                text: "extension \(path)" + list(protocols))
        }
    }

    /// Returns the protocols of a type or an extension. The text of a protocol has them already.
    private func conformances(of symbol: SymbolGraph.Symbol) -> [String] {
        guard symbol.isType || symbol.isExtension, symbol.keyword != "protocol" else { return [] }
        let all = conformances[symbol.identifier.precise] ?? []
        let isCopyable = symbol.isExtension || all.contains("Swift.Copyable")
        return (isCopyable ? [] : ["~Copyable"])
            + Set(all).subtracting(Self.implied).map { $0.split(separator: ".").last.map(String.init) ?? $0 }.sorted()
    }

    private func list(_ protocols: [String]) -> String {
        protocols.isEmpty ? "" : " : " + protocols.joined(separator: ", ")
    }
}
