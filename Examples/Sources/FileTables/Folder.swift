import Foundation
import Squall

/// The files of a folder: `SELECT name FROM folder('/tmp') WHERE size > 1000`.
struct Folder: VirtualTable {
    struct File {
        let name: String
        let size: Int
        let modified: Date
    }

    init(_ arguments: TableArguments) {}

    var columns: [VirtualColumn<File>] {
        [
            VirtualColumn("name", \.name), VirtualColumn("size", \.size), VirtualColumn("modified", \.modified),
            .parameter("path"),
        ]
    }

    func rows(_ scan: borrowing Scan) throws -> some Sequence<File> {
        let path = try scan.parameter("path", as: String.self) ?? "."
        // A file that is removed meanwhile is left out.
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted().lazy.compactMap { name in
            guard let found = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"),
                let size = found[.size] as? Int, let modified = found[.modificationDate] as? Date
            else { return nil }
            return File(name: name, size: size, modified: modified)
        }
    }
}
