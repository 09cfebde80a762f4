/// Texts with the characters that mean something to FTS5.
enum SearchSeeds {
    static var all: [String: [UInt8]] {
        let texts = [
            "structured query", "\"quoted\" (and) NOT near", "a* ^b -c +d {title} : x", "日本語 ひらがな 한국어",
            "e\u{301} é 👩‍👩‍👧 🙂",
            "NEAR(a b, 3)", "tab\tline\nfull\u{3000}width \u{feff}", "", "nul\u{0}here",
            "foo-bar's __x__ 1.5e3 % \\ ;--",
        ]
        var seeds: [String: [UInt8]] = [:]
        for (index, text) in texts.enumerated() {
            let bytes = Array(text.utf8)
            for (form, tokenizer) in [(0, 0), (3, 1), (5, 2)] {
                var seed = [UInt8(tokenizer), 15, 255, UInt8(bytes.count)] + bytes
                seed += [UInt8(form), 0, UInt8(bytes.count)] + bytes + bytes
                seeds["text-\(index)-\(form)"] = seed
            }
        }
        return seeds
    }
}
