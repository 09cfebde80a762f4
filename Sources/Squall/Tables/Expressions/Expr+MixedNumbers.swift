// Arithmetic of two numeric types. The type of the result is that of SQL: an integer and a real give a real, and two integers give
// an integer. The constraints exclude one another and the operands of one type, because the compiler takes seconds for an
// expression of seven terms if several overloads match (measured with Swift 6.3.1, 2026-11: 50 ms instead).
//
// The right operand is not optional. Where it is, `$0.count.cast(to: Double.self) * $0.discount` has operands of one type.

/// A numeric type of a column, and the types of its results in arithmetic with numbers of other types.
///
/// Only Squall's types conform to this protocol: the integers, `Double`, `Float`, and optionals of these.
@_documentation(visibility: internal)
public protocol SQLNumber: StatementParameter {
    /// The type of a result with a real: `Double`, or `Double?` for an optional.
    @_documentation(visibility: internal)
    associatedtype WithReal
    /// The type of a result with another type of integers: `Int64` for an integer, `Double` for a real.
    @_documentation(visibility: internal)
    associatedtype WithInteger
}

extension Int: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension Int8: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension Int16: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension Int32: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension Int64: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension UInt: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension UInt8: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension UInt16: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension UInt32: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension UInt64: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Int64
}

extension Double: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Double
}

extension Float: SQLNumber {
    public typealias WithReal = Double
    public typealias WithInteger = Double
}

extension Optional: SQLNumber where Wrapped: SQLNumber & Bindable {
    public typealias WithReal = Wrapped.WithReal?
    public typealias WithInteger = Wrapped.WithInteger?
}

extension Expr where Value: SQLNumber, Value.ColumnBase: BinaryInteger {
    /// `a + b`, of which `b` is a real
    @_documentation(visibility: internal)
    public static func + <Other: BinaryFloatingPoint>(left: Expr, right: Expr<Other>) -> Expr<Value.WithReal> {
        left.computed(" + ", right)
    }

    /// `a + ?`, of which the value is a real
    @_documentation(visibility: internal)
    @_disfavoredOverload  // an integer literal beside a column of Int64 is an integer
    public static func + (left: Expr, right: Double) -> Expr<Value.WithReal> {
        Expr<Value.WithReal>(operation: left.plainOperand + " + \(right)")
    }

    /// `? + a`, of which the value is a real
    @_documentation(visibility: internal)
    @_disfavoredOverload  // an integer literal beside a column of Int64 is an integer
    public static func + (left: Double, right: Expr) -> Expr<Value.WithReal> {
        Expr<Value.WithReal>(operation: "\(left) + " + right.plainOperand)
    }

    /// `a + b`, of two types of integers
    @_documentation(visibility: internal)
    @_disfavoredOverload
    public static func + <Other: BinaryInteger>(left: Expr, right: Expr<Other>) -> Expr<Value.WithInteger> {
        left.computed(" + ", right)
    }

    /// `a - b`, of which `b` is a real
    @_documentation(visibility: internal)
    public static func - <Other: BinaryFloatingPoint>(left: Expr, right: Expr<Other>) -> Expr<Value.WithReal> {
        left.computed(" - ", right)
    }

    /// `a - ?`, of which the value is a real
    @_documentation(visibility: internal)
    @_disfavoredOverload  // an integer literal beside a column of Int64 is an integer
    public static func - (left: Expr, right: Double) -> Expr<Value.WithReal> {
        Expr<Value.WithReal>(operation: left.plainOperand + " - \(right)")
    }

    /// `? - a`, of which the value is a real
    @_documentation(visibility: internal)
    @_disfavoredOverload  // an integer literal beside a column of Int64 is an integer
    public static func - (left: Double, right: Expr) -> Expr<Value.WithReal> {
        Expr<Value.WithReal>(operation: "\(left) - " + right.plainOperand)
    }

    /// `a - b`, of two types of integers
    @_documentation(visibility: internal)
    @_disfavoredOverload
    public static func - <Other: BinaryInteger>(left: Expr, right: Expr<Other>) -> Expr<Value.WithInteger> {
        left.computed(" - ", right)
    }

    /// `a * b`, of which `b` is a real
    @_documentation(visibility: internal)
    public static func * <Other: BinaryFloatingPoint>(left: Expr, right: Expr<Other>) -> Expr<Value.WithReal> {
        left.computed(" * ", right)
    }

    /// `a * ?`, of which the value is a real
    @_documentation(visibility: internal)
    @_disfavoredOverload  // an integer literal beside a column of Int64 is an integer
    public static func * (left: Expr, right: Double) -> Expr<Value.WithReal> {
        Expr<Value.WithReal>(operation: left.plainOperand + " * \(right)")
    }

    /// `? * a`, of which the value is a real
    @_documentation(visibility: internal)
    @_disfavoredOverload  // an integer literal beside a column of Int64 is an integer
    public static func * (left: Double, right: Expr) -> Expr<Value.WithReal> {
        Expr<Value.WithReal>(operation: "\(left) * " + right.plainOperand)
    }

    /// `a * b`, of two types of integers
    @_documentation(visibility: internal)
    @_disfavoredOverload
    public static func * <Other: BinaryInteger>(left: Expr, right: Expr<Other>) -> Expr<Value.WithInteger> {
        left.computed(" * ", right)
    }

    /// `a / CAST(b AS REAL)`, of which `b` is a real; NULL if either is NULL, and if `b` is 0
    @_documentation(visibility: internal)
    public static func / <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Double?>
    where Other.ColumnBase: BinaryFloatingPoint { left.divided(byReal: right) }

    /// `a / ?`, of which the value is a real. A query that divides by 0 throws.
    @_documentation(visibility: internal)
    @_disfavoredOverload  // an integer literal beside a column of Int64 is an integer
    public static func / (left: Expr, right: Double) -> Expr<Value.WithReal> {
        Expr<Value.WithReal>(operation: left.plainOperand + " / " + left.bind(divisor: right))
    }

    /// `? / a`, of which the value is a real; NULL if `a` is NULL or 0
    @_documentation(visibility: internal)
    @_disfavoredOverload  // an integer literal beside a column of Int64 is an integer
    public static func / (left: Double, right: Expr) -> Expr<Double?> {
        Expr<Double?>(operation: "\(left) / " + right.plainOperand)
    }

    /// `a / b`, of two types of integers; NULL if either is NULL, and if `b` is 0
    @_documentation(visibility: internal)
    @_disfavoredOverload
    public static func / <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Int64?>
    where Other.ColumnBase: BinaryInteger { left.computed(" / ", right) }
}

extension Expr where Value: SQLNumber, Value.ColumnBase: BinaryFloatingPoint {
    /// `a + b`, of which `a` is a real and `b` an integer
    @_documentation(visibility: internal)
    public static func + <Other: BinaryInteger>(left: Expr, right: Expr<Other>) -> Expr<Value.WithReal> {
        left.computed(" + ", right)
    }

    /// `a - b`, of which `a` is a real and `b` an integer
    @_documentation(visibility: internal)
    public static func - <Other: BinaryInteger>(left: Expr, right: Expr<Other>) -> Expr<Value.WithReal> {
        left.computed(" - ", right)
    }

    /// `a * b`, of which `a` is a real and `b` an integer
    @_documentation(visibility: internal)
    public static func * <Other: BinaryInteger>(left: Expr, right: Expr<Other>) -> Expr<Value.WithReal> {
        left.computed(" * ", right)
    }

    /// `a / CAST(b AS REAL)`, of which `a` is a real and `b` an integer; NULL if either is NULL, and if `b` is 0
    @_documentation(visibility: internal)
    public static func / <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Double?>
    where Other.ColumnBase: BinaryInteger { left.divided(byReal: right) }
}
