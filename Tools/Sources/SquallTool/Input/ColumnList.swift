import ArgumentParser

/// The value of an option that names columns: `id,name`.
enum ColumnList {
    @Sendable static func names(_ argument: String) throws -> [String] {
        let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else { throw ValidationError("a name is empty") }
        return names
    }
}
