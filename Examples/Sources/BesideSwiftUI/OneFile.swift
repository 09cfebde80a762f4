import SwiftData
import SwiftUI

import struct Squall.ColumnDef
import struct Squall.CreateTable
import struct Squall.Schema
import struct Squall.Version

/// A file that chooses by its imports: these names are Squall's, and all others SwiftUI's and SwiftData's.
let drafts = Schema("drafts") {
    Version(1) { CreateTable("drafts") { ColumnDef("name", String.self) } }
}

struct Drafts {
    @Query<Draft, [Draft]> var drafts
}
