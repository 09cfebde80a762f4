/// Checks that the columns are in the order of the initialiser when records are read. It is for tables with a column for whose
/// type no value can be made up, and for initialisers that refuse made-up values.
@usableFromInline
final class PairingCheck<Record>: Sendable {
    private enum PairingState {
        case open([ColumnPair], records: Int)
        case confirmed
        case failed(any Error)
    }

    /// The number of records that are checked at most. A record with the same value in two columns does not distinguish them.
    private static var mostRecords: Int { 100 }

    private let probe: TableProbe<Record>
    private let state: Locked<PairingState>

    init(_ probe: TableProbe<Record>) {
        self.probe = probe
        state = Locked(.open(probe.pairs, records: 0))
    }

    /// Whether no more records need to be checked.
    var isConfirmed: Bool {
        state.withLock { if case .confirmed = $0 { true } else { false } }
    }

    /// - Throws: ``SQLiteError`` when the columns are not in the order of the initialiser.
    func check(_ record: Record) throws {
        switch state.withLock({ $0 }) {
        case .confirmed: return
        case .failed(let error): throw error
        case .open(let pairs, let records):
            // Without the lock, because the initialiser is code of the program.
            let next: PairingState
            do {
                let rest = try probe.run(with: record, telling: pairs)
                next = rest.isEmpty || records + 1 >= Self.mostRecords ? .confirmed : .open(rest, records: records + 1)
            } catch {
                next = .failed(error)
            }
            state.withLock { $0 = next }
            if case .failed(let error) = next { throw error }
        }
    }
}

extension TableCore {
    /// Makes a record of a row. It is `plainMake` once the order of the columns is confirmed.
    @inlinable
    var make: @Sendable (inout ColumnReader) throws -> Record { pairing == nil ? plainMake : checkedMake }

    @usableFromInline
    var checkedMake: @Sendable (inout ColumnReader) throws -> Record {
        guard let pairing, !pairing.isConfirmed else { return plainMake }
        let make = plainMake
        return { reader in
            let record = try make(&reader)
            try pairing.check(record)
            return record
        }
    }

    /// Appends a record of a row. It is `plainAppend` once the order of the columns is confirmed.
    var append: @Sendable (inout [Record], inout ColumnReader) throws -> Void {
        guard let pairing, !pairing.isConfirmed else { return plainAppend }
        let make = checkedMake
        return { $0.append(try make(&$1)) }
    }
}
