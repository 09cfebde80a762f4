/// Stands for `SwiftUI.View`.
@MainActor public protocol View {}

public struct Text: View {
    public let text: String

    public init(_ text: String) { self.text = text }
}

/// Stands for `SwiftUI.Table`: a view, with the values of its rows, its rows and its columns.
public struct Table<Value, Rows, Columns>: View {
    public let rows: Rows
    public let columns: Columns

    public init(_ rows: Rows, columns: () -> Columns) where Rows: RandomAccessCollection, Rows.Element == Value {
        self.rows = rows
        self.columns = columns()
    }
}

public struct TableColumn<RowValue, Content> {
    public let title: String
    public let value: KeyPath<RowValue, Content>

    public init(_ title: String, value: KeyPath<RowValue, Content>) {
        self.title = title
        self.value = value
    }
}

public struct Form<Content>: View {}
public struct ForEach<Data, ID, Content>: View {}
public struct Grid<Content>: View {}
public struct Group<Content>: View {}
public struct Label<Title, Icon>: View {}
public struct Link<Label>: View {}
public struct List<Selection, Content>: View {}
public struct Menu<Label, Content>: View {}
public struct Section<Parent, Content, Footer>: View {}
