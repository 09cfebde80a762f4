/// The run of one version, which is the same for a file (``Migration``) and for a store (``StoreVersion``). Each has its
/// loop over the steps: those of a store suspend, and the other ones must not.
package struct VersionRun {
    private let version: Version
    private let faults: SchemaFaults

    /// Notes the faults that the database has before the first step.
    ///
    /// - Parameter foreignKeys: Returns the foreign keys of the database; `nil` to not check them.
    package init(
        _ version: Version, with editor: SchemaEditor, foreignKeys: () throws -> ForeignKeyReport?
    ) throws {
        self.version = version
        faults = version.needsForeignKeysOff ? try editor.faults(foreignKeys()) : SchemaFaults()
    }

    /// Throws if the steps have led to faults that the database did not have before.
    ///
    /// - Parameter foreignKeys: As for the initializer.
    package func check(with editor: SchemaEditor, foreignKeys: () throws -> ForeignKeyReport?) throws {
        guard version.needsForeignKeysOff else { return }
        do { try editor.check(against: faults, foreignKeys()) } catch { throw self.error(error) }
    }

    /// Returns an error with its place: `no such table: nowhere (version 2, Execute)`. The place in a file includes the line and the column.
    ///
    /// - Parameter action: The step that has failed; `nil` after the last one.
    package func error(_ error: any Error, in action: SchemaAction? = nil) -> any Error {
        let place = "version \(version.number)" + (action.map { ", \($0.title)" } ?? "")
        switch error {
        case let error as SQLiteError:
            let location = action?.isScript == true ? error.location.map { ":\($0.line):\($0.column)" } : nil
            return error.changed { $0.message += " (\(place)\(location ?? ""))" }
        case let error as SchemaError: return error.at(place)
        default: return error
        }
    }
}
