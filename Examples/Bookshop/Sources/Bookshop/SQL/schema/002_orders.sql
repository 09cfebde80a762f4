CREATE TABLE customers(
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE COLLATE NOCASE,
    name TEXT NOT NULL,
    address TEXT    -- address: Address as json
);

CREATE TABLE orders(
    id INTEGER PRIMARY KEY,
    customerID INTEGER NOT NULL REFERENCES customers,
    placed INTEGER NOT NULL,    -- placed: Date as unixMilliseconds
    status TEXT NOT NULL CHECK (status IN ('open', 'shipped'))    -- status: OrderStatus
);
CREATE INDEX orders_customer ON orders(customerID);
CREATE INDEX orders_status ON orders(status, placed);

-- The price is that of the day of the order.
CREATE TABLE orderLines(
    orderID INTEGER NOT NULL REFERENCES orders,
    bookID INTEGER NOT NULL REFERENCES books,
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    price INTEGER NOT NULL,
    PRIMARY KEY (orderID, bookID)
) WITHOUT ROWID;
CREATE INDEX orderLines_book ON orderLines(bookID);
