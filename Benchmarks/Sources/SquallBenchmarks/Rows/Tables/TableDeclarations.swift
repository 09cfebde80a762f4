import Squall

// The tables of the records. In a file without GRDB, which has types of the same names.

extension Integers: TableRecord {
    static let table = Table(
        "integers", { Integers(i0: $0, i1: $1, i2: $2, i3: $3, i4: $4, i5: $5, i6: $6, i7: $7, i8: $8, i9: $9) }
    ) {
        Column("i0", \Integers.i0)
        Column("i1", \Integers.i1)
        Column("i2", \Integers.i2)
        Column("i3", \Integers.i3)
        Column("i4", \Integers.i4)
        Column("i5", \Integers.i5)
        Column("i6", \Integers.i6)
        Column("i7", \Integers.i7)
        Column("i8", \Integers.i8)
        Column("i9", \Integers.i9)
    }
}

extension Mixed: TableRecord {
    static let table = Table("mixed", Mixed.init(id:name:note:city:price:data:)) {
        Column("id", \Mixed.id, .primaryKey)
        Column("name", \Mixed.name)
        Column("note", \Mixed.note)
        Column("city", \Mixed.city)
        Column("price", \Mixed.price)
        Column("data", \Mixed.data)
    }
}

extension Car: TableRecord {
    static let table = Table("cars", Car.init(id:name:price:)) {
        Column("id", \Car.id, .primaryKey)
        Column("name", \Car.name)
        Column("price", \Car.price)
    }
}

/// A row of two integers.
struct Pair: TableRecord {
    var a: Int
    var b: Int

    static let table = Table("pairs", Pair.init(a:b:)) {
        Column("a", \Pair.a)
        Column("b", \Pair.b)
    }
}

struct Author: TableRecord {
    var id: Int
    var name: String

    static let table = Table("authors", Author.init(id:name:)) {
        Column("id", \Author.id, .primaryKey)
        Column("name", \Author.name)
    }

    static let posts = Post.author.inverse()
}

struct Post: TableRecord {
    var id: Int
    var author: Int
    var title: String

    static let table = Table("posts", Post.init(id:author:title:)) {
        Column("id", \Post.id, .primaryKey)
        Column("author", \Post.author)
        Column("title", \Post.title)
    }

    static let author = Relation(\Post.author, to: \Author.id)
}
