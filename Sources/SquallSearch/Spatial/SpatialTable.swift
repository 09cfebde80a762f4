import Squall

/// The declaration of an R*Tree: a virtual table of boxes, which SQLite finds by their place without reading all of them.
///
///     let boxes = SpatialTable("boxes", dimensions: "x", "y")
///     try connection.create(boxes)
///     // CREATE VIRTUAL TABLE "boxes" USING rtree("id", "minX", "maxX", "minY", "maxY")
///     try connection.insert(SpatialBox(0...2, 1...3), id: 7, into: boxes)
///     let found = try connection.entries(boxes.overlapping(SpatialBox(1...5, 1...5)))
///
/// In other SQL, `\(boxes)` is its quoted name, and `\(boxes.overlapping(box))` a condition.
public struct SpatialTable: Hashable, Sendable {
    /// The form in which coordinates are stored.
    public enum Coordinates: Hashable, Sendable {
        /// 32-bit floating-point numbers. The sides of a box are rounded outward, by up to 0.000024 % for boxes that SQL inserts. SQLite
        /// does not do so for numbers that are nearer to 0 than 10⁻³⁸.
        case real
        /// 32-bit integers. Squall rounds the sides of a box outward.
        case integer

        var module: String {
            switch self {
            case .real: "rtree"
            case .integer: "rtree_i32"
            }
        }
    }

    public let name: String
    /// The column of the numbers of the entries, which are unique.
    public let key: String
    public let dimensions: [SpatialDimension]
    public let coordinates: Coordinates
    /// The names of columns for other values, which conditions on them do not find faster.
    public let auxiliary: [String]

    /// Declares an R*Tree with one to five dimensions.
    public init(
        _ name: String, key: String = "id", dimensions: SpatialDimension..., coordinates: Coordinates = .real,
        auxiliary: [String] = []
    ) {
        self.name = name
        self.key = key
        self.dimensions = dimensions
        self.coordinates = coordinates
        self.auxiliary = auxiliary
    }

    /// The names of all columns, in the order of the table.
    var columns: [String] { boxColumns + auxiliary }

    /// The names of the key and the coordinates.
    var boxColumns: [String] { [key] + dimensions.flatMap { [$0.minimum, $0.maximum] } }

    /// The statement that creates the table. It throws for a number of dimensions that SQLite does not support.
    func definition(ifNotExists: Bool) -> SQL {
        let presence: SQL = ifNotExists ? "IF NOT EXISTS " : ""
        let others: SQL = auxiliary.reduce("") { $0 + ", +\(name: $1)" }
        var sql: SQL = """
            CREATE VIRTUAL TABLE \(presence)\(name: name) USING \(raw: coordinates.module)(\(names: boxColumns)\(others))
            """
        if !(1...5).contains(dimensions.count) {
            sql.fail(SQLiteError(SpatialProblem.dimensions(count: dimensions.count), of: .table(name)))
        }
        return sql
    }
}

/// The two columns of a dimension of a ``SpatialTable``.
///
/// A literal names the dimension: "x" has the columns `minX` and `maxX`. Only an ASCII letter becomes a capital one.
public struct SpatialDimension: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The column of the smallest coordinate.
    public let minimum: String
    /// The column of the largest coordinate.
    public let maximum: String

    public init(_ minimum: String, _ maximum: String) {
        self.minimum = minimum
        self.maximum = maximum
    }

    public init(stringLiteral name: String) {
        let isASCII = name.first?.isASCII ?? false
        let capitalised = isASCII ? name.prefix(1).uppercased() + name.dropFirst() : name
        self.init("min\(capitalised)", "max\(capitalised)")
    }
}

extension SQL.StringInterpolation {
    /// Quotes the name of an R*Tree.
    public mutating func appendInterpolation(_ table: SpatialTable) {
        appendInterpolation(name: table.name)
    }
}

/// The reason why an R*Tree cannot be used as declared. The R*Tree is the error's `SQLiteError.subject`.
public enum SpatialProblem: SQLiteProblem {
    /// Thrown when the declaration has no dimensions, or more than five.
    case dimensions(count: Int)
    /// Thrown when a box has another number of dimensions than the R*Tree, or the source of its triggers has.
    case boxDimensions(expected: Int, found: Int)
    /// Thrown when a coordinate is too large for the form in which the R*Tree stores coordinates.
    case coordinate(Double)
    /// Thrown when the key of the table that an R*Tree follows is not an INTEGER, as the keys of entries are.
    case key(column: String, table: String)
    /// Thrown when the coordinates of a row of the table that an R*Tree follows are not those of a box that fits.
    case source(table: String, id: Int64)
    /// Thrown when the smallest coordinate of a stored box is greater than the largest.
    case entry(id: Int64)
    /// Thrown when the closure of a spatial function returns a negative score, or NaN.
    case invalidScore(function: String)
}

extension SpatialProblem {
    public var code: ResultCode {
        switch self {
        case .dimensions, .boxDimensions, .key, .coordinate, .invalidScore: .misuse
        case .source: .constraint
        case .entry: .corrupt
        }
    }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let name = subject.tableName
        return switch self {
        case .dimensions(let count): "the R*Tree \"\(name)\" has 1 to 5 dimensions, not \(count)"
        case .boxDimensions(let expected, let found):
            "a box in the R*Tree \"\(name)\" has \(expected) dimensions, not \(found)"
        case .coordinate(let value): "the R*Tree \"\(name)\" cannot store the coordinate \(value)"
        case .key(let column, let table): "the key \"\(column)\" of \"\(table)\", an R*Tree's source, is not an INTEGER"
        case .source(let table, let id):
            "the coordinates of the row \(id) of \"\(table)\" do not fit the R*Tree \"\(name)\""
        case .entry(let id): "the entry \(id) of the R*Tree \"\(name)\" is damaged"
        case .invalidScore(let function): "\(function)(): a score is a number that is not negative"
        }
    }
}
