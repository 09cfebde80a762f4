#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

/// Writes a changeset or a patchset.
struct ChangesetWriter {
    private var writer = ValueWriter()
    private var table: String?
    private let isPatchset: Bool

    init(isPatchset: Bool) { self.isPatchset = isPatchset }

    var data: Data { Data(writer.bytes) }

    /// - Parameters:
    ///   - old: The values before the change: of an update, the key and what has changed.
    ///   - new: The values after the change: of an update, what has changed.
    mutating func write(
        _ operation: Connection.UpdateHookType, of table: RecordedTable, isIndirect: Bool, old: [BindingValue?],
        new: [BindingValue?]
    ) {
        if self.table != table.name {
            self.table = table.name
            writer.write(UInt8(ascii: isPatchset ? "P" : "T"))
            writer.write(length: table.keyPositions.count)
            writer.write(table.keyPositions)
            writer.write(table.name.utf8)
            writer.write(0 as UInt8)
        }
        writer.write(UInt8(truncatingIfNeeded: operation.code))
        writer.write(isIndirect ? 1 : 0 as UInt8)
        for value in values(operation, table, old, new) { writer.write(value) }
    }

    /// Writes the update of a row, if bytes of it have changed.
    mutating func writeUpdate(of table: RecordedTable, isIndirect: Bool, old: [BindingValue], new: [BindingValue]) {
        let isChanged = zip(old, new).map { ValueWriter.bytes(of: $0) != ValueWriter.bytes(of: $1) }
        guard isChanged.contains(true) else { return }
        let known = old.indices.map { isChanged[$0] || table.isKey[$0] ? old[$0] : nil }
        write(
            .update, of: table, isIndirect: isIndirect, old: known,
            new: new.indices.map { isChanged[$0] ? new[$0] : nil })
    }

    private func values(
        _ operation: Connection.UpdateHookType, _ table: RecordedTable, _ old: [BindingValue?], _ new: [BindingValue?]
    ) -> [BindingValue?] {
        guard isPatchset else { return old + new }
        return switch operation {
        case .insert: new
        case .update: table.isKey.indices.map { table.isKey[$0] ? old[$0] : new[$0] }
        case .delete: table.isKey.indices.filter { table.isKey[$0] }.map { old[$0] }
        }
    }
}
