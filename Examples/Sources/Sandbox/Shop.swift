import Squall

/// Creates the database of the shop, as its own programs do.
func createShop() throws {
    let shop = try Connection("shop.db", mode: .createNew)
    try shop.execute(
        """
        CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, password TEXT NOT NULL);
        CREATE INDEX customers_name ON customers(name);
        INSERT INTO customers VALUES(1, 'Ada', 'engine'), (2, 'Grace', 'compiler'), (3, 'Zoë', 'brûlée');
        ANALYZE;
        """)
    shop.close()
}
