import Squall

/// The path of a file below a folder of SQL files.
struct SQLPath {
    /// The use of a file, which its place decides.
    enum Kind {
        /// A version of the schema: `schema/001_cars.sql`.
        case version
        /// A file in a subfolder of `schema`, which `Schema(files:)` ignores.
        case nestedVersion
        case queries
        case settings
        /// Settings in a subfolder.
        case nestedSettings
        /// A version whose ending has letters in upper case, which a build plugin does not find: `schema/001_cars.SQL`.
        case versionInUpperCase
        case other
    }

    let path: String
    let kind: Kind

    /// - Parameter folder: The folder of SQL files; `nil` for the last folder `SQL` of the path.
    init(_ path: String, below folder: String?) {
        self.path = path
        kind = Self.kind(Self.components(of: path, below: folder))
    }

    /// Returns the components of a path below its folder. Outside of a folder, they are the name of the file, and that
    /// of the folder that contains it if this is `schema`.
    private static func components(of path: String, below folder: String?) -> ArraySlice<Substring> {
        let components = path.split(separator: "/")
        let folders = components.dropLast()
        if let folder {
            let start = folder.split(separator: "/")
            if path.hasPrefix("/") == folder.hasPrefix("/"), components.starts(with: start) {
                return components.dropFirst(start.count)
            }
        } else if let index = folders.lastIndex(of: "SQL") {
            return components[(index + 1)...]
        }
        return components.suffix(folders.last == "schema" ? 2 : 1)
    }

    private static func kind(_ components: ArraySlice<Substring>) -> Kind {
        guard let name = components.last, !components.contains(where: { $0.hasPrefix(".") }) else { return .other }
        if name == GeneratorConfiguration.fileName { return components.count == 1 ? .settings : .nestedSettings }
        guard name.hasSuffix(".sql") else {
            return components.first == "schema" && Identifier(name.suffix(4)) == ".sql" ? .versionInUpperCase : .other
        }
        guard components.first == "schema", components.count > 1 else { return .queries }
        return components.count == 2 ? .version : .nestedVersion
    }
}
