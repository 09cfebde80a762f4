/// How SQL uses a module of virtual tables.
public enum ModuleUse: Hashable, Sendable {
    /// By the name of the module, as a table without `CREATE` (SQLite calls it eponymous), and by `CREATE VIRTUAL TABLE`.
    case any
    /// Only by the name of the module.
    case eponymous
    /// Only by `CREATE VIRTUAL TABLE`.
    case created
}
