import Foundation

/// Reads a small graph with each form, and compares it with one that differs. The process ends where something else is found.
func test() {
    let lines = declarations(of: smallGraph).map(\.line)
    let expected = [
        "global | prefix static func ! (box: Box) -> Bool",
        "Box | struct Box : ~Copyable, Reader",
        "Box | func read() throws -> [Int]",
        "Box where Value == Int | var sum: Int { get }",
        "Int | extension Int : Reader",
        "Reader | protocol Reader : Sendable",
        "Reader | requirement func read() throws -> [Int]",
    ]
    if lines != expected { fail("the small graph is read otherwise: \(lines)") }
    let changed = smallGraph.replacing("Box) -> Bool", with: "Box) -> Int")
    let difference = """
        - global | prefix static func ! (box: Box) -> Bool
        + global | prefix static func ! (box: Box) -> Int
        """
    if Comparison(lines, declarations(of: changed).map(\.line)).description != difference {
        fail("a changed declaration is not found")
    }
    if Release.broken(released: ["a", "a", "b", "c"], ["a", "d"], named: ["c"]) != ["a", "b"] {
        fail("a declaration of the release that is gone is not found")
    }
    let text = CompiledText("let box = Box() // .read()\nprint(!box, box.`sum`, \"https://a.b\")")
    let unused = face(of: smallGraph).unusedNames(in: text)
    if unused != ["Box.read", "Reader", "Reader.read"] { fail("other names are unused: \(unused)") }
    if Budget(declarations: 5, completions: ["Box": 1]).excesses(of: face(of: smallGraph)).count != 2 {
        fail("a budget that is exceeded is not found")
    }
}

private func face(of json: String) -> PublicFace {
    guard let graph = try? JSONDecoder().decode(SymbolGraph.self, from: Data(json.utf8)) else {
        fail("the small graph is not read")
    }
    return PublicFace([graph])
}

private func declarations(of json: String) -> [Declaration] { face(of: json).declarations }

/// A symbol: its identifier, its kind, its path, its text, and further members of the object.
private func symbol(_ id: String, _ kind: String, _ path: String, _ text: String, _ rest: String = "") -> String {
    let components = path.split(separator: ".").map { "\"\($0)\"" }.joined(separator: ", ")
    return """
        {"kind": {"identifier": "swift.\(kind)"}, "identifier": {"precise": "\(id)"}, "pathComponents": [\(components)],
         "declarationFragments": [{"spelling": "@frozen "}, {"spelling": "\(text)"}]\(rest)}
        """
}

private func relationship(_ kind: String, _ source: String, _ target: String, _ name: String? = nil) -> String {
    let fallback = name.map { ", \"targetFallback\": \"\($0)\"" } ?? ""
    return "{\"kind\": \"\(kind)\", \"source\": \"\(source)\", \"target\": \"\(target)\"\(fallback)}"
}

private let smallGraph: String = {
    let constraint = #", "swiftExtension": {"constraints": [{"kind": "sameType", "lhs": "Value", "rhs": "Int"}]}"#
    let symbols = [
        symbol("r", "protocol", "Reader", "protocol Reader : Sendable"), symbol("b", "struct", "Box", "struct Box"),
        symbol("rr", "method", "Reader.read()", "func read() throws -> [Int]"),
        symbol("rd", "method", "Reader.read()", "func read() throws -> [Int]"),
        symbol("br", "method", "Box.read()", "func read() throws -> [Int]"),
        symbol("bs", "property", "Box.sum", "var sum: Int { get }", constraint),
        symbol(
            "bu", "method", "Box.old()", "func old()", #", "availability": [{"isUnconditionallyUnavailable": true}]"#),
        symbol("n", "func.op", "!(_:)", "prefix static func ! (box: Box) -> Bool"),
        symbol("i", "extension", "Int", "extension Int"),
    ]
    let relationships = [
        relationship("conformsTo", "b", "r"), relationship("conformsTo", "i", "r"),
        relationship("conformsTo", "i", "s:s8CopyableP", "Swift.Copyable"), relationship("requirementOf", "rr", "r"),
        relationship("defaultImplementationOf", "rd", "rr"),
    ]
    return """
        {"symbols": [\(symbols.joined(separator: ","))], "relationships": [\(relationships.joined(separator: ","))]}
        """
}()
