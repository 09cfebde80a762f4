import Testing

@testable import SquallSQLFiles

/// The comments of a query: what they declare, and what is documentation.
struct QueryHeaderTests {
    private func query(_ text: String) throws -> QueryDeclaration {
        try #require(try SampleFolder(queries: text).checked().queries.first).declaration
    }

    private func type(_ declaration: String) throws -> TypeDeclaration? {
        try query("-- name: q\n-- price: \(declaration)\nSELECT price FROM cars").types["price"]
    }

    private func expectError(
        _ text: String, at place: String, _ part: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        try SampleFolder(queries: text).expectError(at: "cars.sql:\(place)", part, sourceLocation: sourceLocation)
    }

    // MARK: Names

    @Test(arguments: Cardinality.allCases)
    func aNameMayHaveANumberOfRows(_ cardinality: Cardinality) throws {
        let sql = cardinality == .execute ? "DELETE FROM cars" : "SELECT id FROM cars"
        #expect(try query("-- name: q :\(cardinality)\n\(sql)").cardinality == cardinality)
        #expect(try query("--name:q  :\(cardinality) \n\(sql)").cardinality == cardinality)
    }

    @Test func anUnknownNumberOfRowsIsAnError() throws {
        try expectError("-- name: q :all\nSELECT id FROM cars", at: "1:4", ":optional")
        try expectError("-- name: q many\nSELECT id FROM cars", at: "1:4", ":many")
        try expectError("-- name: q :one :many\nSELECT id FROM cars", at: "1:4", ":many")
    }

    @Test(arguments: ["cheapCars", "größe", "価格", "🚗", "👩‍🚀", "_cars", "x1", "default", "é"])
    func aNameHasLettersOfAnyScript(_ name: String) throws {
        #expect(try query("-- name: \(name)\nSELECT id FROM cars").name == name)
    }

    @Test(arguments: ["", "1cars", "cheap-cars", "a.b", "a+b", "cars()", "\"cars\""])
    func aNameIsOneOfSwift(_ name: String) throws {
        let lines = try SampleFolder(queries: "-- name: \(name)\nSELECT id FROM cars").lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("cars.sql:1:4: error: "), "\(lines)")
    }

    @Test func aStatementNeedsAName() throws {
        try expectError("\n  SELECT id FROM cars;\nSELECT 1", at: "2:3", "-- name: ")
    }

    @Test func aNameNeedsAStatement() throws {
        try expectError("-- name: a\n\n-- name: b\nSELECT id FROM cars", at: "1:4", "no statement")
        try expectError("-- name: b\nSELECT id FROM cars;\n-- name: a\n", at: "3:4", "no statement")
    }

    @Test func twoQueriesOfOneNameAreAnErrorThatNamesTheOther() throws {
        let query = "-- name: a\nSELECT id FROM cars;\n"
        try expectError(query + query, at: "3:4", "cars.sql:1:4")
        let files = ["schema/1.sql": "CREATE TABLE cars (id INTEGER PRIMARY KEY)", "a.sql": query, "b/b.sql": query]
        try SampleFolder(files).expectError(at: "b/b.sql:1:4", "a.sql:1:4")
    }

    // MARK: Types

    @Test(arguments: [
        "Int", "String", "[String: Int]", "Set<Tag>", "Module.Type", "[Int]", "Tag<A, [B: C]>.D", "Größe", "[[Int]]",
    ])
    func aTypeIsOneOfSwift(_ name: String) throws {
        let plain = try #require(try type(name))
        #expect(plain.type == ValueType(name) && plain.nullability == .proved)
        #expect(try type("\(name)?")?.nullability == .optional)
        #expect(try type("\(name)!")?.nullability == .promised)
        #expect(try type("\(name)!")?.type == ValueType(name))
    }

    @Test(arguments: ValueType.Form.allCases.filter { $0 != .direct })
    func aTypeMayHaveAForm(_ form: ValueType.Form) throws {
        #expect(try type("Date? as \(form.rawValue)")?.type == ValueType("Date", as: form))
    }

    @Test func anUnknownFormIsAnErrorThatListsTheForms() throws {
        let text = "-- name: q\n-- price: Date as milliseconds\nSELECT price FROM cars"
        for form in ["unixTime", "unixMilliseconds", "julianDay", "json"] { try expectError(text, at: "2:4", form) }
    }

    @Test func aQuotedNameHasAnyCharacters() throws {
        let found = try query("-- name: q\n-- \"owner.name\": String?\nSELECT id, name AS \"owner.name\" FROM cars")
        #expect(found.types["owner.name"]?.type == .string)
    }

    @Test func aParameterMayHaveATypeOfItsOwn() throws {
        let text = "-- name: q\n-- :price: Double\nSELECT price FROM cars WHERE price < :price"
        #expect(try query(text).types.keys.map(\.spelling) == [":price"])
        let checked = try SampleFolder(queries: text).checked().queries
        #expect(checked.first?.parameters.map(\.type) == [.double])
    }

    @Test func declarationsMayFollowTheirColumns() throws {
        let found = try query(
            """
            -- name: q
            SELECT name,   -- name of the car
                   price   -- price: Price?
            FROM cars
            WHERE name = :name;   -- :name: String
            """)
        #expect(found.types["price"]?.type == ValueType("Price"))
        #expect(found.types[":name"]?.type == .string)
        #expect(found.types.count == 2)
        #expect(found.types["price"]?.location.line == 3)
        #expect(found.documentation == [])
    }

    @Test func aDeclarationTwiceIsAnError() throws {
        try expectError("-- name: q\n-- price: Int\n-- PRICE: Double\nSELECT price FROM cars", at: "3:4", "twice")
    }

    @Test func aDeclarationOfNothingIsAnError() throws {
        try expectError("-- name: q\n-- prize: Int\nSELECT price FROM cars", at: "2:4", "prize")
    }

    // MARK: Other declarations

    @Test func aRowHasTheNameOfAType() throws {
        #expect(try query("-- name: q\n-- row: Car\nSELECT id, name FROM cars").row == "Car")
        try expectError("-- name: q\n-- row: car\nSELECT id, name FROM cars", at: "2:4", "car")
        try expectError("-- name: q\n-- row: a car\nSELECT id, name FROM cars", at: "2:4", "a car")
    }

    @Test func aPlanHasNoScan() throws {
        let text = "-- name: q\n-- plan: no scan\nSELECT name FROM cars WHERE id = :id"
        #expect(try query(text).noScan?.line == 2)
        try expectError("-- name: q\n-- plan: fast\nSELECT id FROM cars", at: "2:4", "no scan")
        try expectError("-- name: q\n-- plan:\nSELECT id FROM cars", at: "2:4", "no scan")
    }

    @Test func functionsAreDeclaredForAllFiles() throws {
        let files = try SampleFolder([
            "schema/1.sql": "CREATE TABLE cars (id INTEGER PRIMARY KEY, x REAL NOT NULL, y REAL NOT NULL);",
            "a.sql": "-- name: near\nSELECT distance(x, y) AS d FROM cars",
            "b.sql": "-- function: distance(Double, Double) -> Double?\n",
        ]).checked()
        guard case .values(_, let column)? = files.queries.first?.result else {
            Issue.record("the query has no value")
            return
        }
        #expect(column.type == .double && column.isOptional)
        #expect(files.catalog.functions["DISTANCE"]?.first?.arguments == [.double, .double])
    }

    @Test(arguments: ["distance", "distance(Double)", "distance(double) -> Double", "(Int) -> Int", "f(Int -> Int"])
    func aFunctionHasTypes(_ text: String) throws {
        try expectError("-- function: \(text)\n", at: "1:4", "distance(Double, Double) -> Double?")
    }

    @Test func aFunctionHasTheDeclaredNumberOfArguments() throws {
        try expectError(
            "-- function: f(Int) -> Int\n-- name: q\nSELECT f(1, 2) AS x", at: "3:8", "wrong number of arguments")
    }

    @Test func collationsAreDeclaredForAllFiles() throws {
        let files = try SampleFolder([
            "schema/1.sql": "CREATE TABLE cars (id INTEGER PRIMARY KEY, name TEXT COLLATE german);",
            "a.sql": "-- name: q\nSELECT id FROM cars ORDER BY name COLLATE german",
            "b.sql": "-- collation: german\n",
        ]).checked()
        #expect(files.queries.count == 1)
    }

    // MARK: Prose

    @Test func otherCommentsAreDocumentation() throws {
        let found = try query(
            """
            -- name: q :many
            -- Returns cars.
            -- Note: this is prose with spaces.
            --
            -- Example: See the guide
            -- see: https://sqlite.org
            SELECT id -- not this
            FROM cars;
            """)
        #expect(
            found.documentation == [
                "Returns cars.", "Note: this is prose with spaces.", "", "Example: See the guide",
                "see: https://sqlite.org",
            ])
        #expect(found.types.isEmpty)
    }

    @Test(arguments: ["nmae: q", "naem: q", "names: q", "Name: q", "NAME: q :many", "nam: q", "query: q :many"])
    func aMisspelledNameIsAnError(_ line: String) throws {
        let lines = try SampleFolder(queries: "-- \(line)\nSELECT id FROM cars;").lines()
        #expect(lines.first?.contains(": error: ") == true, "\(lines)")
        // Below another query, the statement would become its second one.
        let below = try SampleFolder(queries: "-- name: a\nDELETE FROM cars;\n-- \(line)\nDELETE FROM cars;").lines()
        #expect(below.contains { $0.hasPrefix("cars.sql:3:4: error: ") }, "\(below)")
    }

    @Test(arguments: ["rwo: Car", "Row: Car", "plam: no scan", "Plan: no scan", "price: int", "price: string?"])
    func aMisspelledDeclarationIsAnError(_ line: String) throws {
        let lines = try SampleFolder(queries: "-- name: q\n-- \(line)\nSELECT price FROM cars").lines()
        #expect(lines.contains { $0.hasPrefix("cars.sql:2:4: error: ") }, "\(lines)")
    }

    @Test func aBlockCommentDeclaresNothing() throws {
        #expect(
            try query("/* -- name: x\n-- name: y */\n-- name: q\n/* price: Double */\nSELECT price FROM cars").types
                .isEmpty)
    }
}
