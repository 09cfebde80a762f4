import Foundation

extension BinaryInteger {
    /// The number with commas between groups of three digits: `336,776`.
    var grouped: String {
        var text = ""
        for (index, digit) in String(magnitude).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }

    /// `1 row`, `2 rows`, `336,776 rows`
    func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

extension Duration {
    /// The duration in seconds, with two decimals: `0.52 s`.
    var inSeconds: String { String(format: "%.2f s", self / .seconds(1)) }
}
