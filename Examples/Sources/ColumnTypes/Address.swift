import Squall

/// An address of the Internet, whose four bytes are a BLOB.
///
/// It is not a type of parameters: only columns with the form ``StorageForm/bytes`` have it.
struct Address: Hashable, CustomStringConvertible {
    let bytes: [UInt8]

    init(_ bytes: UInt8...) { self.bytes = bytes }

    fileprivate init?(_ bytes: RawSpan) {
        guard bytes.byteCount == 4 else { return nil }
        self.bytes = bytes.withUnsafeBytes { Array($0) }
    }

    var description: String { bytes.map { "\($0)" }.joined(separator: ".") }
}

extension StorageForm<Address> {
    static var bytes: StorageForm {
        StorageForm("bytes", type: "BLOB") { address in
            address.bytes.bindingValue
        } decode: { value in
            value.withBytes { Address($0) } ?? nil
        }
    }
}
