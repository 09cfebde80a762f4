/// Files of each format.
enum ImportSeeds {
    static var all: [String: [UInt8]] {
        let csv = [
            "a,b\n1,2\n", "a,b\r\n\"x\"\"y\",\"1\n2\"\r\n,\"\"\r\n", "\u{feff}a,b\r1,\r",
            "name,a\n007,1.50\n+1,1e3\n-9223372036854775808,x'01ff'\n",
            "a\n\n\"\"\n\"b\"c\n", "a,\"b\n", "a,b,a\n1,2,3\n1,2\n",
            "Inf,-Inf\n1e+16,.5\n99999999999999999999,0.1000000000000000055\n",
        ]
        let json = [
            "[{\"a\": 1, \"b\": \"x\"}, {\"b\": null, \"c\": [1, {\"d\": true}]}]", "[]", "[{}]",
            "[{\"a\": \"\\u00e9\\ud83d\\ude00\\n\\\"\", \"A\": 1.5e300, \"b\": -0, \"c\": 123456789012345678901}]",
            "[{\"a\": {\"$base64\": true, \"encoded\": \"AQL/\"}}, {\"a\": false}]", "[{\"a\": \"\\ud800\"}]",
            "[1, \"x\", {\"a\": 1, \"a\": 2}]",
        ]
        var seeds: [String: [UInt8]] = [:]
        for (index, text) in csv.enumerated() {
            seeds["csv-\(index)"] = [0, 3] + Array(text.utf8)
            let tabs = text.utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: "\t") : $0 }
            seeds["tsv-\(index)"] = [index.isMultiple(of: 2) ? 1 : 25, 0] + tabs
        }
        for (index, text) in json.enumerated() {
            seeds["json-\(index)"] = [2, 4] + Array(text.utf8)
            seeds["lines-\(index)"] =
                [3, 2] + Array(text.dropFirst().dropLast().utf8) + Array("\n{\"z\": [[]]}\n{".utf8)
        }
        return seeds
    }
}
