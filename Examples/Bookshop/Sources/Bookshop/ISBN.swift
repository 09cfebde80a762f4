/// Returns whether a text is an ISBN of 13 digits whose last digit is right. Hyphens are left out.
func isISBN(_ text: String) -> Bool {
    let digits = text.filter { $0 != "-" }.map(\.wholeNumberValue)
    guard digits.count == 13, !digits.contains(nil) else { return false }
    let sum = digits.enumerated().reduce(0) { $0 + ($1.element ?? 0) * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
    return sum.isMultiple(of: 10)
}
