import Squall

/// The condition of a typed statement over `items`, in SQL, in the model and in Swift.
enum ItemFilter: Sendable {
    case part(Int64, above: Int64)
    case keys([Int64])
    /// Either comparison can be with NULL.
    case pricedOrUnnoted
    /// A row without a code does not meet the condition, nor its opposite.
    case notCodeAbove(Int64)

    static func random(_ model: Model, _ dice: inout Dice) -> ItemFilter {
        switch dice.number(below: 5) {
        case 0: .pricedOrUnnoted
        case 1: .notCodeAbove(Int64(dice.number(below: 99)))
        case 2: .part(Int64(dice.number(below: 3)), above: dice.choice(of: [-5, 0, 7]))
        default: .someKeys(model, &dice)
        }
    }

    /// The keys of at most two rows, and one that no row has.
    static func someKeys(_ model: Model, _ dice: inout Dice) -> ItemFilter {
        .keys((0..<2).compactMap { _ in dice.element(of: model.rows)?.id } + [777])
    }

    func condition(_ columns: Columns<QueriedItem>, _ shape: TableShape) -> Condition {
        switch self {
        case .part(let part, let stars): columns.part == part && columns.stars > stars
        case .keys(let ids): columns.id.in(ids.map(shape.key.bindingValue))
        case .pricedOrUnnoted: columns.price > 0.05 || columns.note == nil
        case .notCodeAbove(let code): !(columns.code > code)
        }
    }

    /// Whether a row of the model meets the condition.
    func includes(_ row: ItemRow) -> Bool {
        switch self {
        case .part(let part, let stars): row.part == part && row.stars > stars
        case .keys(let ids): ids.contains(row.id)
        case .pricedOrUnnoted: row.price.map { $0 > 0.05 } == true || row.note == nil
        case .notCodeAbove(let code): row.code.map { !($0 > code) } == true
        }
    }

    /// The body of the closure that returns the condition.
    func swift(_ shape: TableShape) -> String {
        switch self {
        case .part(let part, let stars): "$0.part == \(part) && $0.stars > \(stars)"
        case .keys(let ids): "$0.id.in([\(ids.map(shape.key.swiftBinding).joined(separator: ", "))])"
        case .pricedOrUnnoted: "$0.price > 0.05 || $0.note == nil"
        case .notCodeAbove(let code): "!($0.code > \(code))"
        }
    }
}
