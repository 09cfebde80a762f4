/// Gives out names, each once: a name that is taken gets a number.
@_documentation(visibility: internal)
public struct UniqueNames {
    private var taken: Set<String>

    /// - Parameter names: The names that are not given out.
    public init(reserving names: Set<String> = []) {
        taken = Set(names.map { $0.lowercased() })
    }

    /// Returns a name that has not been given out.
    ///
    /// Names that differ only in their case count as the same: each can be the name of a file.
    public mutating func unique(_ name: String) -> String {
        var (result, number) = (name, 2)
        while !taken.insert(result.lowercased()).inserted {
            result = "\(name)\(number)"
            number += 1
        }
        return result
    }
}
