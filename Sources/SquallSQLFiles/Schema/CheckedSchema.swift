import Squall

/// The schema after all files, on the connection on which they were run.
struct CheckedSchema {
    let connection: Connection
    let catalog: Catalog
    let changes: SchemaChangeLog
}
