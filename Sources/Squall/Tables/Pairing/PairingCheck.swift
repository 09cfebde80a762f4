/// Looks whether the columns are in the order of the initialiser when records are read: for tables with a column of whose type
/// no value can be made up, and for initialisers that refuse made-up values.
///
/// `@unchecked`: `state` is read and written under the lock alone.
@usableFromInline
final class PairingCheck<Record>: @unchecked Sendable {
    private enum PairingState {
        case open([ColumnPair], records: Int)
        case confirmed
        case failed(any Error)
    }

    /// A record that has the same value in two columns does not tell them apart. So many are looked at.
    private static var mostRecords: Int { 100 }

    private let probe: TableProbe<Record>
    private let lock = Lock()
    private var state: PairingState

    init(_ probe: TableProbe<Record>) {
        self.probe = probe
        self.state = .open(probe.pairs, records: 0)
    }

    /// Whether records need not be looked at any more.
    var isConfirmed: Bool {
        lock.withLock { if case .confirmed = state { true } else { false } }
    }

    /// - Throws: ``SQLiteError`` when the columns are not in the order of the initialiser.
    func check(_ record: Record) throws {
        let current = lock.withLock { state }
        switch current {
        case .confirmed: return
        case .failed(let error): throw error
        case .open(let pairs, let records):
            // Not under the lock: the initialiser is the user's.
            let next: PairingState
            do {
                let rest = try probe.run(with: record, telling: pairs)
                next = rest.isEmpty || records + 1 >= Self.mostRecords ? .confirmed : .open(rest, records: records + 1)
            } catch {
                next = .failed(error)
            }
            lock.withLock { state = next }
            if case .failed(let error) = next { throw error }
        }
    }
}

extension TableCore {
    /// Makes a record of a row. Costs nothing beside `plainMake` once the order of the columns is known to be right.
    @inlinable
    var make: @Sendable (inout RecordCursor) throws -> Record { pairing == nil ? plainMake : checkedMake }

    @usableFromInline
    var checkedMake: @Sendable (inout RecordCursor) throws -> Record {
        guard let pairing, !pairing.isConfirmed else { return plainMake }
        let make = plainMake
        return { cursor in
            let record = try make(&cursor)
            try pairing.check(record)
            return record
        }
    }
}
