import Foundation

/// A logarithmic axis.
struct LogScale {
    let lowest: Double
    let highest: Double
    /// The values with a label.
    let ticks: [Double]

    /// - Parameter isDecades: Label powers of ten only. Otherwise the steps are 1, 2 and 5 where the values span few powers.
    init(from lowest: Double, to highest: Double, isDecades: Bool) {
        let factors: [Double] = isDecades || highest / lowest > 50 ? [1] : [1, 2, 5]
        let exponents = Int(log10(lowest).rounded(.down))...Int(log10(highest).rounded(.up))
        let steps = exponents.flatMap { exponent in factors.map { $0 * pow(10, Double(exponent)) } }
        let below = steps.last { $0 <= lowest } ?? lowest
        let above = isDecades ? highest : steps.first { $0 >= highest } ?? highest
        self.lowest = below
        self.highest = above > below ? above : below * 10
        ticks = steps.filter { $0 >= below && $0 <= above }
    }

    /// The place of a value: 0 for the lowest, 1 for the highest.
    func position(_ value: Double) -> Double { log(value / lowest) / log(highest / lowest) }
}
