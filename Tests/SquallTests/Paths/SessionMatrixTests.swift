import SquallStore
import Squall
import SquallTestSupport
import Testing

/// A session of a store stores, reads and finds what a connection does.
struct SessionMatrixTests {
    @Test(arguments: StoredType.allCases) func everyWayOfASession(_ type: StoredType) async throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("db"))
        func check<C: FormColumn>(_: C.Type) async throws {
            typealias Record = FormHolder<C>
            try await database.write { connection in
                try connection.execute("DROP TABLE IF EXISTS holders")
                try connection.create(Record.table)
            }
            try await database.write(deadline: .seconds(60)) { (session: SQLSession) in
                for way in SessionWay.allCases {
                    for sample in C.samples {
                        let record = Record(id: 1, value: sample, note: "note")
                        try await session.run("DELETE FROM holders")
                        let found = try await way.record(record, in: session)
                        #expect(found == record, "\(C.self), \(way), \(sample)")
                    }
                }
            }
        }
        func check<Base: FormValue, Tag: FormTag>(_: Base.Type, _: Tag.Type) async throws {
            try await check(RequiredColumn<Base, Tag>.self)
            try await check(NullableColumn<Base, Tag>.self)
        }
        for form in FormName.all(of: type) { try await check(type.type, form.tag) }
        try await database.close()
    }
}
