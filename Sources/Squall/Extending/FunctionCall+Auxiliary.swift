import SquallSQLite

extension FunctionCall {
    /// Returns the object that is kept with an argument as long as the argument does not change, or `nil`.
    package func auxiliaryObject(at index: Int32) -> AnyObject? {
        guard index >= 0, let object = sqlite3_get_auxdata(context, index) else { return nil }
        return Unmanaged<AuxiliaryBox>.fromOpaque(object).takeUnretainedValue().object
    }

    /// Keeps an object with an argument, or releases the object that was kept.
    package func setAuxiliaryObject(_ object: AnyObject?, at index: Int32) {
        guard index >= 0 else { return }
        guard let object else { return sqlite3_set_auxdata(context, index, nil, nil) }
        guard let callbacks = FunctionBox.of(context)?.callbacks else { return }
        let box = AuxiliaryBox(object: object, callbacks: callbacks)
        sqlite3_set_auxdata(context, index, box.retained(), KeptObject.release)
    }
}

/// An object that is kept with an argument. SQLite releases it in the middle of a step.
private final class AuxiliaryBox: KeptObject {
    let object: AnyObject

    init(object: AnyObject, callbacks: UnsafeMutablePointer<Callbacks>) {
        self.object = object
        super.init(callbacks: callbacks)
    }
}
