/// A table that SQLite has open, and its module.
final class OpenTable: KeptObject {
    let module: ModuleBox
    let table: TableBox
    let name: String

    init(module: ModuleBox, table: TableBox, name: String) {
        self.module = module
        self.table = table
        self.name = name
        super.init(callbacks: module.callbacks)
    }
}
