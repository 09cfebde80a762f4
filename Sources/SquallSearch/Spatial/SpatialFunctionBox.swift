import Squall
import SquallSQLite

/// The arguments of a spatial function in a query. They are valid only during a call.
@frozen
@usableFromInline
struct SpatialArguments {
    @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>?

    /// Returns the argument at an index, and advances the index.
    @inlinable
    func next(_ index: inout Int) -> SQLiteValue {
        defer { index &+= 1 }
        // The box has checked that there are as many as the closure has parameters.
        return SQLiteValue(values.unsafelyUnwrapped[index].unsafelyUnwrapped)
    }
}

/// The box that SQLite keeps for a spatial function.
@usableFromInline
final class SpatialFunctionBox: SearchObject {
    @usableFromInline typealias MakeTest = (SpatialArguments) throws -> Connection.SpatialTest

    typealias Info = UnsafeMutablePointer<sqlite3_rtree_query_info>

    private let name: String
    private let argumentCount: Int
    private let makeTest: MakeTest

    init(
        name: String, argumentCount: Int, callbacks: UnsafeMutablePointer<Callbacks>, makeTest: @escaping MakeTest
    ) {
        self.name = name
        self.argumentCount = argumentCount
        self.makeTest = makeTest
        super.init(callbacks: callbacks)
    }

    /// Tests a box, and keeps the error that the closure throws for the statement.
    ///
    /// - Returns: A result code.
    fileprivate func test(_ info: Info) -> Int32 {
        callbacks.run(nesting: "\(name)() is called from within itself too often") {
            let candidate = SpatialCandidate(info)
            try candidate.apply(query(info).test(candidate), of: name)
            return SQLITE_OK
        } report: {
            callbacks.keep($0)
        }
    }

    /// Returns the test for the arguments of the query, which is made for its first box.
    @inline(__always)
    private func query(_ info: Info) throws -> SpatialQueryBox {
        if let query = info.pointee.pUser {
            return Unmanaged<SpatialQueryBox>.fromOpaque(query).takeUnretainedValue()
        }
        let query = SpatialQueryBox(callbacks: callbacks, test: try makeTest(info))
        info.pointee.pUser = query.retained()
        info.pointee.xDelUser = SearchObject.release
        return query
    }

    private func makeTest(_ info: Info) throws -> Connection.SpatialTest {
        let (count, values) = (Int(info.pointee.nParam), info.pointee.apSqlParam)
        guard count == argumentCount, count == 0 || values != nil else {
            throw SQLiteError(
                code: SQLITE_ERROR, message: "\(name)(): expected \(argumentCount) arguments, found \(count)")
        }
        do {
            return try makeTest(SpatialArguments(values: values))
        } catch let error as ArgumentError {
            throw error.located(in: name, number: error.number(among: values, count: count))
        }
    }
}

/// The box that SQLite keeps for a spatial function during a query.
private final class SpatialQueryBox: SearchObject {
    let test: Connection.SpatialTest

    init(callbacks: UnsafeMutablePointer<Callbacks>, test: @escaping Connection.SpatialTest) {
        self.test = test
        super.init(callbacks: callbacks)
    }
}

extension Connection {
    @usableFromInline
    func addSpatialFunction(
        _ name: String, argumentCount: Int, _ makeTest: @escaping SpatialFunctionBox.MakeTest
    ) throws {
        guard squall_has_rtree() != 0 else { throw SQLiteError.libraryLacks(.spatialTables) }
        guard name.utf8.count <= 255 else {
            throw SQLiteError(FunctionProblem.nameTooLong(byteCount: name.utf8.count))
        }
        let made = SpatialFunctionBox(
            name: name, argumentCount: argumentCount, callbacks: callbacks, makeTest: makeTest)
        try change(name, .functionName) { handle in
            // If SQLite rejects the function, it releases the box itself.
            sqlite3_rtree_query_callback(
                handle, name,
                { info in
                    guard let info, let box = info.pointee.pContext else { return SQLITE_INTERNAL }
                    return Unmanaged<SpatialFunctionBox>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.test(info) }
                },
                made.retained(), SearchObject.release)
        }
    }
}
