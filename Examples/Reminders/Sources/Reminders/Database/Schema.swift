import Foundation
import Squall

/// Leads a file of any age to the tables that the program expects. A released version is never edited.
let remindersSchema = Schema("reminders") {
    Version(1) {
        CreateTable("lists") {
            ColumnDef("id", Int64.self, .primaryKey)
            ColumnDef("name", String.self, .unique, .collate("NOCASE"), .check("name <> ''"))
        }
        CreateTable("reminders", .foreignKey("list", references: "lists", ["id"])) {
            ColumnDef("id", Int64.self, .primaryKey)
            ColumnDef("list", Int64.self)
            ColumnDef("title", String.self, .check("title <> ''"))
            ColumnDef("text", String?.self)
            ColumnDef("due", Date?.self)
            ColumnDef("done", Bool.self, .default(false))
        }
        CreateIndex("reminders_list", on: "reminders", "list", "due")
    }
    Version(2) {
        CreateTable("tags") {
            ColumnDef("id", Int64.self, .primaryKey)
            ColumnDef("name", String.self, .unique, .collate("NOCASE"))
        }
        CreateTable(
            "reminder_tags", .withoutRowID,
            .foreignKey("reminder", references: "reminders", ["id"], onDelete: .cascade),
            .foreignKey("tag", references: "tags", ["id"], onDelete: .cascade)
        ) {
            ColumnDef("reminder", Int64.self, .primaryKey)
            ColumnDef("tag", Int64.self, .primaryKey)
        }
        CreateIndex("reminder_tags_tag", on: "reminder_tags", "tag")
        // SQLite cannot make a column NOT NULL: the table is rebuilt, and the expressions see its old rows.
        AlterTable("reminders") {
            RenameColumn("text", to: "notes")
            ChangeColumn("notes", to: String.self, fillingWith: "coalesce(text, '')")
            AddColumn(
                "priority", String.self, .check("priority IN ('low', 'normal', 'high')"),
                fillingWith: "CASE WHEN title LIKE '%!' THEN 'high' ELSE 'normal' END")
            AddColumn(
                "done_at", Date?.self,
                fillingWith: "CASE WHEN done THEN strftime('%Y-%m-%dT%H:%M:%f', 'now') END")
            DropColumn("done")
        }
        CreateIndex("reminders_done_at", on: "reminders", "done_at")
    }
    Version(3) {
        // The index has the words, `reminders` keeps the text, and the triggers keep both together.
        Execute(
            """
            CREATE VIRTUAL TABLE reminder_words USING fts5(
                title, notes, content='reminders', content_rowid='id', tokenize='unicode61 remove_diacritics 2');
            INSERT INTO reminder_words(reminder_words) VALUES('rebuild');
            """)
        CreateTrigger(
            "reminder_words_insert",
            """
            AFTER INSERT ON reminders BEGIN
                INSERT INTO reminder_words(rowid, title, notes) VALUES(new.id, new.title, new.notes);
            END
            """)
        CreateTrigger(
            "reminder_words_delete",
            """
            AFTER DELETE ON reminders BEGIN
                INSERT INTO reminder_words(reminder_words, rowid, title, notes)
                VALUES('delete', old.id, old.title, old.notes);
            END
            """)
        CreateTrigger(
            "reminder_words_update",
            """
            AFTER UPDATE OF title, notes ON reminders BEGIN
                INSERT INTO reminder_words(reminder_words, rowid, title, notes)
                VALUES('delete', old.id, old.title, old.notes);
                INSERT INTO reminder_words(rowid, title, notes) VALUES(new.id, new.title, new.notes);
            END
            """)
    }
}
