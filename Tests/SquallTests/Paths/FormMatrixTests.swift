import SQLiteORMCompatibility
import Squall
import SquallTestSupport
import Testing

/// Every type in every form, on every way in and out: a record never ignores the form of its column.
struct FormMatrixTests {
    /// Calls a function for a column of a type in a form, and for an optional one.
    private func forEachColumn(_ type: StoredType, _ form: FormName, _ body: (any FormColumn.Type) throws -> Void)
        throws
    {
        func open<Base: FormValue, Tag: FormTag>(_: Base.Type, _: Tag.Type) throws {
            try body(RequiredColumn<Base, Tag>.self)
            try body(NullableColumn<Base, Tag>.self)
        }
        try open(type.type, form.tag)
    }

    /// Expects that a record is stored in the form of its column.
    private func expectStored<C: FormColumn>(_ holder: FormHolder<C>, on connection: Connection, _ way: FormWayIn)
        throws
    {
        let isStored: Bool? = try connection.query(
            "SELECT value IS ? FROM holders WHERE id = ?", try C.stored(holder.value), holder.id)
        let note: String? = try connection.query("SELECT note FROM holders WHERE id = ?", holder.id)
        #expect(isStored == true, "\(C.self): \(way)")
        #expect(note == holder.note, "\(C.self): \(way)")
    }

    private func expectFound<C: FormColumn>(
        _ known: [FormHolder<C>], on connection: Connection, _ way: FormWayOut
    ) throws {
        let found = try way.records(known, on: connection).sorted { $0.id < $1.id }
        #expect(found == known, "\(C.self): \(way)")
    }

    @Test func randomStepsOfAllWaysKeepTheRecords() throws {
        var generator = TestSeed.of().generator()
        func run<C: FormColumn>(_: C.Type) throws {
            let connection = try Connection()
            try connection.create(FormHolder<C>.table)
            var known: [Int64: FormHolder<C>] = [:]
            for step in 0..<25 {
                let values = C.samples.shuffled(using: &generator)
                let holder = FormHolder<C>(id: .random(in: 1...4, using: &generator), value: values[0], note: "\(step)")
                let way = FormWayIn.allCases.randomElement(using: &generator) ?? .insert
                try way.put(holder, over: values[1], on: connection)
                known[holder.id] = holder
                try expectStored(holder, on: connection, way)
                let out = FormWayOut.allCases.randomElement(using: &generator) ?? .all
                try expectFound(known.values.sorted { $0.id < $1.id }, on: connection, out)
            }
        }
        for _ in 0..<10 {
            let type = StoredType.allCases.randomElement(using: &generator) ?? .string
            let form = FormName.all(of: type).randomElement(using: &generator) ?? .plain
            try forEachColumn(type, form) { try run($0) }
        }
    }

    // MARK: Keys

    @Test(arguments: StoredType.allCases) func aKeyInAFormIsFoundByTheRecordsThatWereRead(_ type: StoredType) throws {
        func check<Base: FormValue, Tag: FormTag>(_: Base.Type, _: Tag.Type) throws {
            typealias C = RequiredColumn<Base, Tag>
            typealias O = KeyOwner<C>
            typealias I = OwnedItem<C>
            let connection = try Connection()
            try connection.create(O.table)
            try connection.create(I.table)
            try connection.create(OwnerLink<C>.table)
            for (index, key) in Base.samples.enumerated() {
                try connection.insert(O(key: key, name: "\(index)"))
                try connection.insert(I(id: Int64(index), ownerKey: key))
                try connection.insert(I(id: Int64(index + 10), ownerKey: key))
                try connection.insert(OwnerLink<C>(owner: key, item: Int64(index)))
            }
            let owners = try connection.all(O.order { $0.name })
            #expect(owners.map(\.key) == Base.samples, "\(C.self)")
            for owner in owners {
                let number = Int64(owner.name) ?? -1
                #expect(try connection.find(O.self, owner.key) == owner, "\(C.self)")
                #expect(try connection.find(O.self, key: owner.key) == owner, "\(C.self)")
                #expect(try connection.find(O.self, keys: [owner.key]) == [owner], "\(C.self)")
                #expect(try connection.first(O.self) { $0.key == owner.key } == owner, "\(C.self)")
                let items = try connection.all(O.items.order { $0.id }, of: owner)
                #expect(items.map(\.id) == [number, number + 10], "\(C.self)")
                #expect(try connection.all(O.linked, of: owner).map(\.id) == [number], "\(C.self)")
                for item in items { #expect(try connection.first(I.owner, of: item) == owner, "\(C.self)") }
                #expect(try connection.update(owner), "\(C.self)")
                #expect(try connection.update(owner, changedFrom: O(key: owner.key, name: "")) == .updated, "\(C.self)")
                try connection.upsert(owner)
                try connection.replace(owner)
            }
            #expect(try connection.count(O.self) == owners.count, "\(C.self)")
            let withOwners = try connection.all(I.order { $0.id }, including: I.owner)
            #expect(withOwners.map(\.1?.name) == (owners + owners).map(\.name), "\(C.self)")
            let page = try connection.page(O.order { $0.name }, size: 10, including: O.items, O.linked)
            #expect(page.items.map(\.1.count) == owners.map { _ in 2 }, "\(C.self)")
            #expect(page.items.map(\.2.count) == owners.map { _ in 1 }, "\(C.self)")
            let joined = try connection.all(I.join(I.owner).order { item, _ in item.id })
            #expect(joined.map(\.1) == owners + owners, "\(C.self)")
            let storage = try Storage("", O.table)
            try storage.createTables()
            for owner in owners {
                try storage.replace(owner)
                #expect(try storage.get(O.self, id: owner.key) == owner, "\(C.self)")
                #expect(try storage.update(owner), "\(C.self)")
                #expect(try storage.delete(owner), "\(C.self)")
                #expect(try connection.delete(owner), "\(C.self)")
            }
            #expect(try connection.all(O.self) == [], "\(C.self)")
        }
        for form in FormName.all(of: type) { try check(type.type, form.tag) }
    }
}
