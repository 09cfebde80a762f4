import Foundation
import Testing

@testable import SquallPages

@Suite struct StylesheetTests {
    @Test("Text has a contrast of at least 4.5 to each ground, on a light and on a dark page", arguments: [0, 1])
    func contrast(scheme: Int) throws {
        let stylesheet = String(decoding: PackageResources.site_css, as: UTF8.self)
        let schemes = stylesheet.matches(of: /:root {([^}]*)}/).map { Self.luminances(in: $0.1) }
        try #require(schemes.count == 2)
        let luminances = schemes[scheme]
        let grounds = ["ground", "raised", "mark"]
        for name in grounds {
            let ground = try #require(luminances[name])
            for (text, luminance) in luminances where !grounds.contains(text) && text != "line" {
                let contrast = (max(ground, luminance) + 0.05) / (min(ground, luminance) + 0.05)
                #expect(contrast >= 4.5, "\(text) on \(name)")
            }
        }
    }

    /// Returns the relative luminance of each colour, by the definition of the Web Content Accessibility Guidelines.
    private static func luminances(in text: Substring) -> [String: Double] {
        var luminances: [String: Double] = [:]
        for match in text.matches(of: /--(\w+): #([0-9a-f]{6})/) {
            guard let bits = Int(match.2, radix: 16) else { continue }
            let parts = [bits >> 16, bits >> 8, bits].map { bits in
                let part = Double(bits & 255) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            luminances[String(match.1)] = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        return luminances
    }
}
