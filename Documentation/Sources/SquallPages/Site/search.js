// Hides the rows without the words of the field, and the headings above tables of which no row is left.
const field = document.getElementById("search");
const tables = [...document.querySelectorAll("main .table")].map((table) => ({
    parts: [table, table.previousElementSibling],
    rows: [...table.querySelectorAll("tr")].map((row) => ({ row, text: row.textContent.toLowerCase() })),
}));

function search() {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const { parts, rows } of tables) {
        for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
        for (const part of parts) part.hidden = rows.every(({ row }) => row.hidden);
    }
}

field.hidden = false;
field.addEventListener("input", search);
field.focus();
// A browser keeps the text of the field when it goes back to the page.
search();
