import CWideCharacter
import Foundation

extension String {
    /// The number of terminal columns that the text occupies.
    var displayWidth: Int {
        utf8.allSatisfy { (0x20..<0x7f).contains($0) } ? utf8.count : reduce(0) { $0 + $1.displayWidth }
    }
}

extension Character {
    /// The number of terminal columns that the character occupies.
    ///
    /// The C library provides the width of a single scalar. An emoji of several scalars, such as a flag or a family, is
    /// drawn as one, in two columns.
    var displayWidth: Int {
        let scalars = unicodeScalars
        let width = scalars.reduce(0) { $0 + $1.displayWidth }
        guard scalars.count > 1, scalars.first?.properties.isEmoji == true else { return width }
        return scalars.contains("\u{FE0F}") ? 2 : min(width, 2)
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        let width = Int(wcwidth(wchar_t(value)))
        if width >= 0 { return width }
        // Swift's Unicode data is often newer than that of the C library, and so includes the latest emoji.
        return properties.isEmojiPresentation ? 2 : 1
    }
}
