import ArgumentParser

/// The value of an option that lists names of columns or tables: `id,name`. A name with a comma is in double quotes:
/// `id,"last, first"`.
enum NameList {
    @Sendable static func names(_ argument: String) throws -> [String] {
        var names: [String] = []
        var rest = argument.unicodeScalars[...]
        while true {
            names.append(try rest.first == "\"" ? quotedName(&rest) : plainName(&rest))
            guard let comma = rest.popFirst() else { return names }
            guard comma == "," else { throw ValidationError("a comma is missing after \(names.last?.sqlName ?? "")") }
        }
    }

    private static func plainName(_ rest: inout Substring.UnicodeScalarView) throws -> String {
        let name = rest.prefix { $0 != "," }
        guard !name.isEmpty else { throw ValidationError("a name is empty") }
        rest = rest[name.endIndex...]
        return String(name)
    }

    /// Two quotes inside the quotes are one.
    private static func quotedName(_ rest: inout Substring.UnicodeScalarView) throws -> String {
        var name = String.UnicodeScalarView()
        rest.removeFirst()
        while let scalar = rest.popFirst() {
            if scalar == "\"" {
                guard rest.first == "\"" else { return String(name) }
                rest.removeFirst()
            }
            name.append(scalar)
        }
        throw ValidationError("a quote is missing at the end of \(String(name))")
    }
}
