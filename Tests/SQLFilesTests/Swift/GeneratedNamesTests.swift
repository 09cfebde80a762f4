import Testing

@testable import SquallSQLFiles

struct GeneratedNamesTests {
    private let id = RecordShape.Field.column(ResultColumn(name: "id", index: 0, type: .rowID, isOptional: false))
    private let name = RecordShape.Field.column(ResultColumn(name: "name", index: 1, type: .string, isOptional: false))

    private func query(_ name: String, _ shape: RecordShape) -> CheckedQuery {
        SampleQuery.make(name, "SELECT 1, 2", result: .records(.many, shape))
    }

    @Test func queriesOfOneSwiftNameAreRefused() {
        let messages = SampleQuery.messages(
            SampleQuery.make("cheap_cars", "SELECT 1", result: .nothing),
            SampleQuery.make("cheapCars", "SELECT 1", result: .nothing))
        #expect(
            messages == [
                "SQL/cars.sql:1:10: error: the query 'cheapCars' has the Swift name of the query at SQL/cars.sql:1:10: 'cheapCars'"
            ])
    }

    @Test func namesOfFunctionsThatGeneratedCodeCallsAreRefused() {
        let messages = SampleQuery.messages(SampleQuery.make("query", "SELECT 1", result: .nothing))
        #expect(
            messages == [
                "SQL/cars.sql:1:10: error: the name 'query' is a keyword of Swift, or a member that Squall has: choose another"
            ])
    }

    @Test func rowsOfTheSameTypeMustHaveTheSameColumns() {
        let messages = SampleQuery.messages(
            query("a", RecordShape(name: "Car", fields: [id, name])), query("b", RecordShape(name: "Car", fields: [id]))
        )
        #expect(
            messages == [
                "SQL/cars.sql:1:10: error: the row type 'Car' is also that of the query 'a', but there it has 2 properties, and here 1: "
                    + "select the same columns in both, or give one another type by '-- row: Name'"
            ])
    }

    @Test func aColumnThatIsOptionalInOneQueryIsOptionalInTheSharedType() throws {
        let optional = RecordShape.Field.column(ResultColumn(name: "name", index: 1, type: .string, isOptional: true))
        let sources = try SampleQuery.sources([
            query("a", RecordShape(name: "Car", fields: [id, name])),
            query("b", RecordShape(name: "Car", fields: [id, optional])),
        ])
        #expect(sources.files[1].text.contains("    let name: String?\n"))
    }

    @Test func aRowTypeDoesNotHideATypeThatGeneratedCodeUses() throws {
        let text = try SampleQuery.swift(query("date", RecordShape(name: nil, fields: [id])))
        #expect(text.contains("nonisolated struct DateRow: "))
        let messages = SampleQuery.messages(query("a", RecordShape(name: "Row", fields: [id])))
        #expect(
            messages == [
                "SQL/cars.sql:1:10: error: the row type 'Row' has a name that the generated code uses: choose another"
            ])
    }

    @Test func aRowTypeDoesNotHideATypeOfTheApp() throws {
        let status = RecordShape.Field.column(
            ResultColumn(name: "status", index: 0, type: ValueType("Status"), isOptional: false))
        let text = try SampleQuery.swift(query("status", RecordShape(name: nil, fields: [status])))
        #expect(text.contains("nonisolated struct StatusRow: Sendable {\n    let status: Status\n}"))
    }

    @Test func propertiesHaveNamesThatDiffer() throws {
        let fields = ["id", "ID", "class", "row", "self", "", "hashValue"].enumerated().map { index, name in
            RecordShape.Field.column(ResultColumn(name: name, index: index, type: .int, isOptional: false))
        }
        let text = try SampleQuery.swift(query("odd", RecordShape(name: nil, fields: fields)))
        #expect(
            text.contains(
                """
                nonisolated struct Odd: Hashable, Sendable {
                    let id: Int
                    let id2: Int
                    let `class`: Int
                    let row: Int
                    let self2: Int
                    let column6: Int
                    let hashValue2: Int
                }

                nonisolated extension Odd: ExpressibleByRow {
                    init(row: Row) throws {
                        self.init(
                            id: try row.get(0),
                            id2: try row.get(1),
                            `class`: try row.get(2),
                            row: try row.get(3),
                            self2: try row.get(4),
                            column6: try row.get(5),
                            hashValue2: try row.get(6))
                    }
                }
                """))
    }

    @Test func parametersDoNotHideWhatAFunctionUses() throws {
        let text = try SampleQuery.swift(
            SampleQuery.make(
                "find", "DELETE FROM cars WHERE a = :query AND b = :self AND c = :forEach AND d = :inout",
                parameters: [("query", .int), ("self", .int), ("forEach", .int), ("inout", .int)], result: .nothing))
        #expect(
            text.contains(
                "    func find(query queryValue: Int, self selfValue: Int, forEach2: Int, `inout`: Int) throws {\n"))
        #expect(text.contains("try run(CarsSQL.find, queryValue, selfValue, forEach2, `inout`)"))
        #expect(
            text.contains("$0.find(query: queryValue, self: selfValue, forEach2: forEach2, `inout`: `inout`)"))
    }

    private func owner(_ columns: [ResultColumn], named name: String = "owner", presence: Int? = nil) -> RecordShape {
        RecordShape(name: "Car", fields: [id, .record(name: name, columns: columns, presence: presence)])
    }

    private let columns = [
        ResultColumn(name: "id", index: 1, type: .rowID, isOptional: false),
        ResultColumn(name: "name", index: 2, type: .string, isOptional: false),
    ]

    @Test func aNestedRecordThatIsMissingInOneQueryIsOptionalInTheSharedType() throws {
        var optional = columns
        optional[1] = ResultColumn(name: "name", index: 2, type: .string, isOptional: true)
        for (first, second) in [(nil, 1), (1, nil), (1, 1)] as [(Int?, Int?)] {
            let sources = try SampleQuery.sources([
                query("a", owner(columns, presence: first)), query("b", owner(optional, presence: second)),
            ])
            let text = sources.files[1].text
            #expect(text.contains("    let owner: Owner?\n") && text.contains("        let name: String?\n"))
        }
    }

    @Test func nestedRecordsOfTheSameTypeMustHaveTheSameColumns() {
        var other = columns
        other[1] = ResultColumn(name: "name", index: 2, type: .int, isOptional: false)
        var renamed = columns
        renamed[1] = ResultColumn(name: "title", index: 2, type: .string, isOptional: false)
        let differences: [(RecordShape, String)] = [
            (owner(columns, named: "keeper"), "the record 'owner' has other columns here"),
            (owner([columns[0]]), "the record 'owner' has other columns here"),
            (owner(columns, presence: 2), "the record 'owner' is `nil` by another column here"),
            (owner(other), "'name' is String there and Int here"),
            (owner(renamed), "'name' there is 'title' here"),
            (RecordShape(name: "Car", fields: [id, name]), "'name' is a record in only one of them"),
        ]
        for (shape, difference) in differences {
            let messages = SampleQuery.messages(query("a", owner(columns, presence: 1)), query("b", shape))
            #expect(messages.count == 1 && messages[0].contains(difference), "\(difference): \(messages)")
        }
    }
}
