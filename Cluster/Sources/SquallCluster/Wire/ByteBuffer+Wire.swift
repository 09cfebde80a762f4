import NIOCore
import Squall

/// The fields of a message. All are padded with zero bytes to whole words of eight bytes.
extension ByteBuffer {
    mutating func writeWord(_ value: UInt64) {
        writeInteger(value, endianness: .little)
    }

    mutating func writeHalfWord(_ value: UInt32) {
        writeInteger(value, endianness: .little)
    }

    /// Writes a text and its terminating zero byte. A zero byte in the text ends it for the node.
    mutating func writeWireText(_ text: String) {
        writeWireText(text.utf8)
    }

    mutating func writeWireText(_ bytes: some Collection<UInt8>) {
        let count = writeBytes(bytes)
        writeRepeatingByte(0, count: 8 - count % 8)
    }

    mutating func writeWireBlob(_ bytes: some Collection<UInt8>) {
        writeWord(UInt64(bytes.count))
        let count = writeBytes(bytes)
        writeRepeatingByte(0, count: -count & 7)
    }

    /// Writes the parameters of a statement; nothing if there are none.
    mutating func writeParameters(_ values: [BindingValue]) {
        if values.isEmpty { return }
        let start = writerIndex
        if values.count <= Request.maximumOfShortParameters {
            writeInteger(UInt8(values.count))
        } else {
            writeHalfWord(UInt32(values.count))
        }
        for value in values { writeInteger(value.wireType.rawValue) }
        writeRepeatingByte(0, count: -(writerIndex - start) & 7)
        for value in values { writeParameter(value) }
    }

    private mutating func writeParameter(_ value: BindingValue) {
        switch value {
        case .null: writeWord(0)
        case .integer(let value): writeWord(UInt64(bitPattern: value))
        case .real(let value): writeWord(value.bitPattern)
        case .text(let value): writeWireText(value)
        case .blob(let value): writeWireBlob(value)
        case .malformedText(let value): writeWireText(value)
        }
    }
}
