import Squall
@testable import SquallSQLFiles

/// The queries of the target `SampleQueries`.
enum SampleApp {
    static let catalog: Catalog = {
        func column(_ name: Identifier, _ type: String, notNull: Bool = false, rowID: Bool = false) -> CatalogColumn {
            CatalogColumn(
                name: name, declaredType: type, isNotNull: notNull, isRowID: rowID, isHidden: false, type: nil)
        }
        let cars = CatalogTable(
            name: "cars", kind: .table,
            columns: [
                column("id", "INTEGER", notNull: true, rowID: true), column("name", "TEXT", notNull: true),
                column("price", "INTEGER"), column("owner", "INTEGER"),
            ], hasRowID: true)
        let owners = CatalogTable(
            name: "owners", kind: .table,
            columns: [
                column("id", "INTEGER", notNull: true, rowID: true), column("first name", "TEXT", notNull: true),
            ],
            hasRowID: true)
        let orders = CatalogTable(
            name: "orders", kind: .table,
            columns: [
                column("id", "INTEGER", notNull: true, rowID: true), column("placed", "INTEGER"),
                column("status", "TEXT", notNull: true), column("address", "TEXT"),
            ], hasRowID: true)
        return Catalog(tables: ["cars": cars, "owners": owners, "orders": orders])
    }()

    static let queries = cars + orders

    private static let car = SampleQuery.columns(("id", .rowID, false), ("name", .string, false), ("price", .int, true))
        .map { RecordShape.Field.column($0) }

    private static let uses = [TableUse(table: "cars", columns: ["price", "id", "name"])]

    private static let cars = [
        SampleQuery.make(
            "cheapCars", "SELECT id, name, price FROM cars WHERE price < :limit ORDER BY price",
            documentation: ["Cars below a price."], parameters: [("limit", .int)],
            result: .records(.many, RecordShape(name: nil, fields: car)), uses: uses),
        SampleQuery.make(
            "car", "SELECT id, name, price FROM cars WHERE id = :id", parameters: [("id", .rowID)],
            result: .records(.optional, RecordShape(name: "Car", fields: car)), uses: uses),
        SampleQuery.make(
            "first_car", "SELECT id, name, price FROM cars ORDER BY id LIMIT 1",
            result: .records(.one, RecordShape(name: "Car", fields: car)), uses: uses),
        SampleQuery.make("carNames", "SELECT name FROM cars ORDER BY id", result: SampleQuery.value(.many, .string)),
        SampleQuery.make(
            "prices", "SELECT price FROM cars ORDER BY id", result: SampleQuery.value(.many, .int, optional: true)),
        SampleQuery.make("countCars", "SELECT count(*) FROM cars", result: SampleQuery.value(.one, .int)),
        SampleQuery.make(
            "highestPrice", "SELECT max(price) FROM cars", result: SampleQuery.value(.one, .int, optional: true)),
        SampleQuery.make(
            "priceOf", "SELECT price FROM cars WHERE name = :in", parameters: [("in", .string)],
            result: SampleQuery.value(.optional, .int, optional: true)),
        SampleQuery.make(
            "idOf", "SELECT id FROM cars WHERE name = :body", parameters: [("body", .string)],
            result: SampleQuery.value(.optional, .rowID)),
        SampleQuery.make(
            "carsIn", "SELECT name FROM cars WHERE id IN :ids... AND price < :limit",
            parameters: [("ids", .rowID), ("limit", .int)],
            result: SampleQuery.value(.many, .string)),
        SampleQuery.make(
            "carWithOwner",
            """
            SELECT c.name, o.id AS "owner.id", o."first name" AS "owner.first name"
            FROM cars c
            LEFT JOIN owners o ON o.id = c.owner -- not C:\\owners
            ORDER BY c.id
            """,
            result: .records(
                .many,
                RecordShape(
                    name: nil,
                    fields: [
                        .column(ResultColumn(name: "name", index: 0, type: .string, isOptional: false)),
                        .record(
                            name: "owner",
                            columns: SampleQuery.columns(
                                ("id", .rowID, false), ("first name", .string, false), from: 1),
                            presence: 1),
                    ])),
            uses: [
                TableUse(table: "owners", columns: ["id", "first name"]),
                TableUse(table: "cars", columns: ["owner", "rowid"]),
            ]),
        SampleQuery.make(
            "addCar", "INSERT INTO cars(name, price) VALUES(:name, :price) RETURNING id",
            parameters: [("name", .string), ("price", .int)], optional: ["price"],
            result: SampleQuery.value(.one, .rowID)),
        SampleQuery.make(
            "deleteCars", "DELETE FROM cars WHERE price > :limit", parameters: [("limit", .int)], result: .changes),
        SampleQuery.make("forgetPrices", "UPDATE cars SET price = NULL", result: .nothing),
        SampleQuery.make(
            "sellCar", "INSERT INTO owners(id, \"first name\") VALUES(:owner, :name)",
            "UPDATE cars SET owner = :owner WHERE id = :car AND owner IS NOT :owner",
            parameters: [("owner", .rowID), ("name", .string), ("car", .rowID)], result: .changes),
        SampleQuery.make(
            "countAll", "SELECT count(*) FROM owners", "SELECT count(*) FROM cars",
            result: SampleQuery.value(.one, .int)),
    ]

    private static let orders = [
        SampleQuery.make(
            "orders", in: "SQL/shop/orders.sql",
            "SELECT id, placed, status, address FROM orders WHERE status = :status AND placed >= :since ORDER BY id",
            parameters: [("status", ValueType("Status")), ("since", ValueType("Date", as: .unixMilliseconds))],
            result: .records(
                .many,
                RecordShape(
                    name: "Order",
                    fields: SampleQuery.columns(
                        ("id", .rowID, false), ("placed", ValueType("Date", as: .unixMilliseconds), true),
                        ("status", ValueType("Status"), false), ("address", ValueType("Address", as: .json), false)
                    ).map { .column($0) })),
            uses: [TableUse(table: "Orders", columns: ["id", "placed", "status", "address"])]),
        SampleQuery.make(
            "placeOrder", in: "SQL/shop/orders.sql",
            "INSERT INTO orders(placed, status, address) VALUES(:placed, 'new', :address)",
            parameters: [
                ("placed", ValueType("Date", as: .unixMilliseconds)), ("address", ValueType("Address", as: .json)),
            ],
            optional: ["placed"], result: .changes),
        SampleQuery.make(
            "lastOrder", in: "SQL/shop/orders.sql", "SELECT max(placed) FROM orders",
            result: SampleQuery.value(.one, ValueType("Date", as: .unixMilliseconds), optional: true)),
        SampleQuery.make(
            "addresses", in: "SQL/shop/orders.sql", "SELECT address FROM orders ORDER BY id",
            result: SampleQuery.value(.many, ValueType("Address", as: .json))),
    ]
}
