import Hummingbird

extension Parameters {
    /// Returns nil if the address has no such parameter. A value of another type is an error, which is answered 400.
    func optional<Parameter: LosslessStringConvertible>(_ name: String, as type: Parameter.Type) throws -> Parameter? {
        get(name) == nil ? nil : try require(name, as: type)
    }

    func optional<Parameter: RawRepresentable<String>>(_ name: String, as type: Parameter.Type) throws -> Parameter? {
        get(name) == nil ? nil : try require(name, as: type)
    }
}
