/// A type that makes up its own values, with which the order of a table's columns is tried. Other types are tried with a value of
/// each storage class.
protocol SampleSource {
    /// Returns a value that differs from those of other numbers, or two of the few values that the type has; an empty array
    /// where no value can be made up.
    static func samples(number: Int) -> [Self]
}
