@testable import Squall
import SquallTestSupport
import Testing

/// All paths of a value agree: every way into a column stores the same, every way out reads the same, and every condition finds the same, or
/// they fail for the same reason. The measure is SQL with the value as its form makes it.
struct PathMatrixTests {
    @Test(arguments: StoredType.allCases) func allPathsAgree(_ type: StoredType) throws {
        let seed = TestSeed.of()
        var generator = seed.generator(type.rawValue.utf8.reduce(0) { $0 &* 31 &+ Int($1) })
        func check<Base: FormValue, Tag: FormTag>(_: Base.Type, _: Tag.Type, _ kind: ColumnKind) throws {
            try ColumnKind.$current.withValue(kind) {
                try Matrix<RequiredColumn<Base, Tag>>(kind).check()
                try Matrix<NullableColumn<Base, Tag>>(kind).check()
            }
        }
        func check<Base: FormValue>(_ base: Base.Type) throws {
            for form in FormName.all(of: base) {
                let others = ColumnKind.allCases.filter { $0 != .declared }.shuffled(using: &generator)
                for kind in [.declared] + others.prefix(Rounds.of(others.count)) { try check(base, form.tag, kind) }
            }
        }
        try check(type.type)
        // A raw value of any type is stored as the type is.
        func checkRawValue<Base: FormValue & Binding>(_: Base.Type) throws {
            for kind in [.declared, ColumnKind.allCases.randomElement(using: &generator) ?? .untyped] {
                try check(Raw<Base>.self, PlainTag.self, kind)
            }
        }
        if let base = type.type as? any (FormValue & Binding).Type { try checkRawValue(base) }
    }
}

/// The paths of one column.
private struct Matrix<C: FormColumn> {
    typealias Record = FormHolder<C>
    let kind: ColumnKind
    let connection: Connection
    private let samples = C.samples + C.refused
    /// What SQL stores for each sample.
    private var stored: [Outcome<BindingValue>] = []

    init(_ kind: ColumnKind) throws {
        self.kind = kind
        connection = try Connection()
        try connection.create(Record.table)
        stored = samples.map { sample in Outcome { try insert(1, sample) } }
    }

    /// The names of a comparison. A date that is none has no description.
    private func place(_ way: some RawRepresentable<String>, _ index: Int) -> String {
        let sample = index < C.samples.count ? "\(C.samples[index])" : "refused \(index - C.samples.count)"
        return "\(C.self), \(kind), \(way.rawValue), \(sample)"
    }

    /// Inserts a row by SQL, and returns the value that it stores.
    private func insert(_ id: Int64, _ sample: C.Property) throws -> BindingValue {
        let value = try C.stored(sample)
        try connection.run("INSERT OR REPLACE INTO holders VALUES(\(id), \(value), 'note')")
        return try storedValue(id)
    }

    private func storedValue(_ id: Int64) throws -> BindingValue {
        try connection.query("SELECT value FROM holders WHERE id = \(id)")
    }

    func check() throws {
        try checkWaysIn()
        try checkWaysOut()
        try checkConditions()
    }

    private func checkWaysIn() throws {
        let storable = samples.indices.filter { stored[$0].result != nil }
        for (index, sample) in samples.enumerated() {
            let other = storable.first { $0 != index }.map { samples[$0] } ?? sample
            let isRead = readable(index)
            for way in FormWayIn.allCases {
                // Those that read fail where the column has converted the value.
                if way.reads, stored[index].result != nil, !isRead { continue }
                let outcome = Outcome {
                    try way.put(Record(id: 1, value: sample, note: "note"), over: other, on: connection)
                    return try storedValue(1)
                }
                #expect(outcome == stored[index], "\(place(way, index))")
            }
        }
    }

    private func readable(_ index: Int) -> Bool {
        guard let value = stored[index].result else { return false }
        return Outcome { try read(value) }.result != nil
    }

    /// Reads a value as the form does.
    private func read(_ value: BindingValue) throws -> C.Property {
        var read: Result<C.Property, ConversionError>?
        try connection.forEach("SELECT \(value)") { (row: Row) in
            do throws(ArgumentError) {
                read = .success(try C.read(row.existingValue(at: 0)))
            } catch {
                read = .failure(error.reason)
            }
        }
        return try #require(read).get()
    }

    private func checkWaysOut() throws {
        for (index, sample) in samples.enumerated() {
            guard let value = stored[index].result else { continue }
            let expected = Outcome { [Record(id: 1, value: try read(value), note: "note")] }
            let known = expected.result ?? [Record(id: 1, value: sample, note: "note")]
            for way in FormWayOut.allCases {
                // RETURNING has the integer that a REAL column converts when it is read.
                if way.returns, case .real = value, case .integer = try C.stored(sample) { continue }
                try connection.execute("DELETE FROM holders")
                _ = try insert(1, sample)
                let found = Outcome { try way.records(known, on: connection) }
                #expect(found == expected, "\(place(way, index))")
            }
        }
    }

    private func checkConditions() throws {
        try connection.execute("DELETE FROM holders")
        for (index, sample) in samples.enumerated() where stored[index].result != nil {
            _ = try insert(Int64(index + 1), sample)
        }
        for (index, sample) in samples.enumerated() {
            guard let base = C.base(sample) else { continue }
            let encoded = Outcome { try C.stored(sample) }
            // Before the value in a list.
            let decoy = samples.first { $0 != sample && (try? C.stored($0)) != nil && C.base($0) != nil } ?? sample
            for way in ConditionWay.allCases {
                if way.isSQL && C.form != .plain || way.rounds(encoded.result, in: kind) { continue }
                let sql: SQL = "SELECT id FROM holders WHERE \(raw: way.sql) ORDER BY id"
                var expected = Outcome<[Int64]> {
                    guard way.sql.contains("?") else { return try connection.query(sql) }
                    let value = try C.stored(sample)
                    let values = way.sql.contains("?2") ? [value, try C.stored(decoy)] : [value]
                    return try connection.query(sql, values as [(any Bindable)?])
                }
                // A type that SQLite does not order says so; of a value that cannot be stored, one of the two is said.
                if way.comparesOrder, C.form == .plain, !C.Base.isOrderedInSQL {
                    if encoded.result == nil { continue }
                    expected = .failure("computedForm")
                }
                let found = Outcome { try way.ids(base, C.base(decoy) ?? base, in: Record.self, on: connection) }
                #expect(found == expected, "\(place(way, index))")
            }
        }
    }
}
