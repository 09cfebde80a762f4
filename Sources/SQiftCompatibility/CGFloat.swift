#if !canImport(CoreGraphics)
    import Foundation

    // On other platforms this type requires all of Foundation, which Squall does not import.

    /// REAL, like `Double`.
    extension CGFloat: Binding {
        public typealias BindingType = Double

        public var bindingValue: BindingValue { .real(Double(self)) }

        public static func fromBindingValue(_ value: Any) -> CGFloat? { (value as? Double).map { CGFloat($0) } }
    }
#endif
