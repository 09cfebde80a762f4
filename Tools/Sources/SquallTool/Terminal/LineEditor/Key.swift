/// A key, or what else a terminal sends.
enum Key: Equatable {
    case text(String)
    /// Text from the clipboard, with LF line endings.
    case paste(String)
    case enter, tab, backspace, delete
    case left, right, up, down, home, end, wordLeft, wordRight
    case killToEnd, killToStart, killWord, yank
    case interrupt, endOfInput, clearScreen
    case unknown
}

/// Decodes the bytes that a terminal sends, which may arrive one by one.
struct KeyDecoder {
    private enum State: Equatable {
        case ground
        /// The first bytes of a UTF-8 sequence.
        case scalar([UInt8])
        case escape
        /// A control sequence, after `ESC [`.
        case sequence([UInt8])
        /// A function key, after `ESC O`.
        case function
        case paste([UInt8])
    }

    private static let endOfPaste = Array("\u{1B}[201~".utf8)
    private var state = State.ground

    /// Returns the key that ends with a byte, if one does.
    mutating func decode(_ byte: UInt8) -> Key? {
        switch state {
        case .ground: return decodeFirst(byte)
        case .scalar(let bytes): return decodeScalar(bytes + [byte])
        case .escape: return decodeEscape(byte)
        case .sequence(let bytes):
            guard (0x40...0x7e).contains(byte) else {
                state = .sequence(bytes + [byte])
                return nil
            }
            return endSequence(String(decoding: bytes + [byte], as: UTF8.self))
        case .function:
            state = .ground
            return Self.sequences[String(decoding: [byte], as: UTF8.self)] ?? .unknown
        case .paste(var bytes):
            bytes.append(byte)
            guard bytes.suffix(Self.endOfPaste.count).elementsEqual(Self.endOfPaste) else {
                state = .paste(bytes)
                return nil
            }
            state = .ground
            let text = String(decoding: bytes.dropLast(Self.endOfPaste.count), as: UTF8.self)
            return .paste(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))
        }
    }

    private mutating func decodeFirst(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B: state = .escape
        case ..<0x20, 0x7F: return Self.controls[byte] ?? .unknown
        case ..<0x80: return .text(String(decoding: [byte], as: UTF8.self))
        case 0xC2...0xF4: state = .scalar([byte])
        default: return .unknown
        }
        return nil
    }

    private mutating func decodeScalar(_ bytes: [UInt8]) -> Key? {
        let length = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4
        if let last = bytes.last, last & 0xC0 != 0x80 {
            state = .ground
            return decodeFirst(last) ?? .unknown
        }
        guard bytes.count == length else {
            state = .scalar(bytes)
            return nil
        }
        state = .ground
        return String(checking: bytes).map { .text($0) } ?? .unknown
    }

    private mutating func decodeEscape(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .function
        case 0x1B: return nil
        default:
            state = .ground
            return [UInt8(ascii: "b"): Key.wordLeft, UInt8(ascii: "f"): .wordRight, 0x7F: .killWord][byte] ?? .unknown
        }
        return nil
    }

    private mutating func endSequence(_ text: String) -> Key? {
        state = text == "200~" ? .paste([]) : .ground
        return text == "200~" ? nil : Self.sequences[text] ?? .unknown
    }

    private static let controls: [UInt8: Key] = [
        0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .endOfInput, 0x05: .end, 0x06: .right, 0x08: .backspace,
        0x09: .tab, 0x0A: .enter, 0x0B: .killToEnd, 0x0C: .clearScreen, 0x0D: .enter, 0x0E: .down, 0x10: .up,
        0x15: .killToStart, 0x17: .killWord, 0x19: .yank, 0x7F: .backspace,
    ]

    private static let sequences: [String: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "1~": .home, "7~": .home, "4~": .end,
        "8~": .end, "3~": .delete, "1;5C": .wordRight, "1;5D": .wordLeft, "1;3C": .wordRight, "1;3D": .wordLeft,
    ]
}
