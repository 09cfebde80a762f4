/// A type that produces sample values. With them, the order of a table's columns is tested. Other types are tested with
/// a value of each storage class.
protocol SampleSource {
    /// Returns a value that differs from those of other numbers, or two values for a type with only a few. Returns an
    /// empty array if the type cannot produce a value.
    static func samples(number: Int) -> [Self]
}
