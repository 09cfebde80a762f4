-- A film rental, of the shape of Sakila: 16 tables, names in snake_case, triggers that keep a date, checks, views.
CREATE TABLE actor (
    actor_id INTEGER NOT NULL PRIMARY KEY,
    first_name VARCHAR(45) NOT NULL,
    last_name VARCHAR(45) NOT NULL,
    last_update TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX idx_actor_last_name ON actor (last_name);
CREATE TABLE country (
    country_id SMALLINT NOT NULL PRIMARY KEY,
    country VARCHAR(50) NOT NULL,
    last_update TIMESTAMP
);
CREATE TABLE city (
    city_id INT NOT NULL,
    city VARCHAR(50) NOT NULL,
    country_id SMALLINT NOT NULL,
    last_update TIMESTAMP NOT NULL,
    PRIMARY KEY (city_id),
    CONSTRAINT fk_city_country FOREIGN KEY (country_id) REFERENCES country (country_id)
        ON DELETE NO ACTION ON UPDATE CASCADE
);
CREATE INDEX idx_fk_country_id ON city (country_id);
CREATE TABLE address (
    address_id INTEGER NOT NULL PRIMARY KEY,
    address VARCHAR(50) NOT NULL,
    address2 VARCHAR(50) DEFAULT NULL,
    district VARCHAR(20) NOT NULL,
    city_id INT NOT NULL,
    postal_code VARCHAR(10) DEFAULT NULL,
    phone VARCHAR(20) NOT NULL DEFAULT '',
    location BLOB,
    last_update TIMESTAMP NOT NULL DEFAULT (datetime('now')),
    CONSTRAINT fk_address_city FOREIGN KEY (city_id) REFERENCES city ON DELETE NO ACTION ON UPDATE CASCADE
);
CREATE INDEX idx_fk_city_id ON address (city_id);
CREATE TABLE language (
    language_id SMALLINT NOT NULL PRIMARY KEY,
    name CHAR(20) NOT NULL UNIQUE COLLATE NOCASE,
    last_update TIMESTAMP NOT NULL
) WITHOUT ROWID;
CREATE TABLE category (
    category_id SMALLINT NOT NULL PRIMARY KEY,
    name VARCHAR(25) NOT NULL UNIQUE,
    last_update TIMESTAMP NOT NULL
);
CREATE TABLE customer (
    customer_id INTEGER PRIMARY KEY AUTOINCREMENT,
    store_id INT NOT NULL,
    first_name VARCHAR(45) NOT NULL,
    last_name VARCHAR(45) NOT NULL,
    full_name TEXT GENERATED ALWAYS AS (first_name || ' ' || last_name) VIRTUAL,
    email VARCHAR(50) DEFAULT NULL,
    address_id INT NOT NULL,
    active BOOLEAN NOT NULL DEFAULT TRUE,
    create_date TIMESTAMP NOT NULL,
    last_update TIMESTAMP NOT NULL,
    CONSTRAINT fk_customer_store FOREIGN KEY (store_id) REFERENCES store (store_id)
        ON DELETE NO ACTION ON UPDATE CASCADE,
    CONSTRAINT fk_customer_address FOREIGN KEY (address_id) REFERENCES address (address_id)
        ON DELETE NO ACTION ON UPDATE CASCADE
);
CREATE INDEX idx_customer_fk_store_id ON customer (store_id);
CREATE INDEX idx_customer_fk_address_id ON customer (address_id);
CREATE INDEX idx_customer_last_name ON customer (last_name COLLATE NOCASE, lower(first_name));
CREATE TABLE film (
    film_id INTEGER NOT NULL PRIMARY KEY,
    title VARCHAR(255) NOT NULL,
    description BLOB SUB_TYPE TEXT DEFAULT NULL,
    release_year VARCHAR(4) DEFAULT NULL,
    language_id SMALLINT NOT NULL,
    original_language_id SMALLINT DEFAULT NULL,
    rental_duration SMALLINT NOT NULL DEFAULT 3,
    rental_rate DECIMAL(4, 2) NOT NULL DEFAULT 4.99,
    length SMALLINT DEFAULT NULL,
    replacement_cost DECIMAL(5, 2) NOT NULL DEFAULT 19.99,
    rating VARCHAR(10) DEFAULT 'G',
    special_features VARCHAR(100) DEFAULT NULL,
    last_update TIMESTAMP NOT NULL,
    CONSTRAINT check_special_features CHECK (
        special_features IS NULL OR special_features LIKE '%Trailers%' OR special_features LIKE '%Scenes%'
    ),
    CONSTRAINT check_special_rating CHECK (rating IN ('G', 'PG', 'PG-13', 'R', 'NC-17')),
    CONSTRAINT fk_film_language FOREIGN KEY (language_id) REFERENCES language (language_id),
    CONSTRAINT fk_film_language_original FOREIGN KEY (original_language_id) REFERENCES language (language_id)
);
CREATE INDEX idx_film_title ON film (title);
CREATE INDEX idx_fk_language_id ON film (language_id);
CREATE INDEX idx_fk_original_language_id ON film (original_language_id);
CREATE TABLE film_actor (
    actor_id INT NOT NULL,
    film_id INT NOT NULL,
    last_update TIMESTAMP NOT NULL,
    PRIMARY KEY (actor_id, film_id),
    CONSTRAINT fk_film_actor_actor FOREIGN KEY (actor_id) REFERENCES actor (actor_id)
        ON DELETE NO ACTION ON UPDATE CASCADE,
    CONSTRAINT fk_film_actor_film FOREIGN KEY (film_id) REFERENCES film (film_id)
        ON DELETE NO ACTION ON UPDATE CASCADE
);
CREATE INDEX idx_fk_film_actor_film ON film_actor (film_id);
CREATE TABLE film_category (
    film_id INT NOT NULL,
    category_id SMALLINT NOT NULL,
    last_update TIMESTAMP NOT NULL,
    PRIMARY KEY (film_id, category_id),
    CONSTRAINT fk_film_category_film FOREIGN KEY (film_id) REFERENCES film (film_id),
    CONSTRAINT fk_film_category_category FOREIGN KEY (category_id) REFERENCES category (category_id)
);
CREATE INDEX idx_fk_film_category_category ON film_category (category_id);
CREATE TABLE film_text (
    film_id SMALLINT NOT NULL,
    title VARCHAR(255) NOT NULL,
    description TEXT,
    PRIMARY KEY (film_id)
);
CREATE TABLE inventory (
    inventory_id INTEGER NOT NULL PRIMARY KEY,
    film_id INT NOT NULL,
    store_id INT NOT NULL,
    last_update TIMESTAMP NOT NULL,
    UNIQUE (film_id, store_id, inventory_id),
    CONSTRAINT fk_inventory_store FOREIGN KEY (store_id) REFERENCES store (store_id),
    CONSTRAINT fk_inventory_film FOREIGN KEY (film_id) REFERENCES film (film_id)
);
CREATE INDEX idx_fk_inventory_store ON inventory (store_id);
CREATE TABLE staff (
    staff_id SMALLINT NOT NULL PRIMARY KEY,
    first_name VARCHAR(45) NOT NULL,
    last_name VARCHAR(45) NOT NULL,
    address_id INT NOT NULL,
    picture BLOB DEFAULT NULL,
    email VARCHAR(50) DEFAULT NULL,
    store_id INT NOT NULL,
    active BOOLEAN NOT NULL DEFAULT 1,
    username VARCHAR(16) NOT NULL,
    password VARCHAR(40) DEFAULT NULL,
    last_update TIMESTAMP NOT NULL,
    CONSTRAINT fk_staff_store FOREIGN KEY (store_id) REFERENCES store (store_id)
        DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT fk_staff_address FOREIGN KEY (address_id) REFERENCES address (address_id)
);
CREATE INDEX idx_fk_staff_store_id ON staff (store_id);
CREATE INDEX idx_fk_staff_address_id ON staff (address_id);
CREATE TABLE store (
    store_id INTEGER NOT NULL PRIMARY KEY,
    manager_staff_id SMALLINT NOT NULL,
    address_id INT NOT NULL,
    last_update TIMESTAMP NOT NULL,
    CONSTRAINT fk_store_staff FOREIGN KEY (manager_staff_id) REFERENCES staff (staff_id)
        DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT fk_store_address FOREIGN KEY (address_id) REFERENCES address (address_id)
);
CREATE UNIQUE INDEX idx_store_manager ON store (manager_staff_id);
CREATE INDEX idx_fk_store_address ON store (address_id);
CREATE TABLE payment (
    payment_id INTEGER NOT NULL PRIMARY KEY,
    customer_id INT NOT NULL,
    staff_id SMALLINT NOT NULL,
    rental_id INT DEFAULT NULL,
    amount DECIMAL(5, 2) NOT NULL,
    payment_date TIMESTAMP NOT NULL,
    last_update TIMESTAMP NOT NULL,
    CONSTRAINT fk_payment_rental FOREIGN KEY (rental_id) REFERENCES rental (rental_id)
        ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT fk_payment_customer FOREIGN KEY (customer_id) REFERENCES customer (customer_id),
    CONSTRAINT fk_payment_staff FOREIGN KEY (staff_id) REFERENCES staff (staff_id)
);
CREATE INDEX idx_fk_payment_rental_id ON payment (rental_id);
CREATE INDEX idx_fk_staff_id ON payment (staff_id);
CREATE INDEX idx_fk_customer_id ON payment (customer_id);
CREATE TABLE rental (
    rental_id INTEGER NOT NULL PRIMARY KEY,
    rental_date TIMESTAMP NOT NULL,
    inventory_id INT NOT NULL,
    customer_id INT NOT NULL,
    return_date TIMESTAMP DEFAULT NULL,
    staff_id SMALLINT NOT NULL,
    last_update TIMESTAMP NOT NULL,
    CONSTRAINT fk_rental_staff FOREIGN KEY (staff_id) REFERENCES staff (staff_id),
    CONSTRAINT fk_rental_inventory FOREIGN KEY (inventory_id) REFERENCES inventory (inventory_id),
    CONSTRAINT fk_rental_customer FOREIGN KEY (customer_id) REFERENCES customer (customer_id)
);
CREATE INDEX idx_rental_fk_inventory_id ON rental (inventory_id);
CREATE INDEX idx_rental_fk_customer_id ON rental (customer_id);
CREATE INDEX idx_rental_fk_staff_id ON rental (staff_id);
CREATE UNIQUE INDEX idx_rental_uq ON rental (rental_date, inventory_id, customer_id);
CREATE TRIGGER actor_trigger_au AFTER UPDATE OF first_name, last_name ON actor
BEGIN
    UPDATE actor SET last_update = datetime('now') WHERE rowid = new.rowid;
END;
CREATE TRIGGER film_trigger_ai AFTER INSERT ON film
BEGIN
    INSERT INTO film_text VALUES (new.film_id, new.title, new.description);
END;
CREATE TRIGGER film_trigger_ad AFTER DELETE ON film
BEGIN
    DELETE FROM film_text WHERE film_id = old.film_id;
END;
CREATE VIEW customer_list AS
SELECT cu.customer_id AS ID, cu.full_name AS name, a.address AS address, city.city AS city, country.country AS country,
    CASE WHEN cu.active = 1 THEN 'active' ELSE '' END AS notes, cu.store_id AS SID
FROM customer AS cu
    JOIN address AS a ON cu.address_id = a.address_id
    JOIN city ON a.city_id = city.city_id
    JOIN country ON city.country_id = country.country_id;
CREATE VIEW film_list AS
SELECT film.film_id AS FID, film.title AS title, category.name AS category, film.rental_rate AS price,
    group_concat(actor.first_name || ' ' || actor.last_name, ', ') AS actors
FROM category
    LEFT JOIN film_category ON category.category_id = film_category.category_id
    LEFT JOIN film ON film_category.film_id = film.film_id
    JOIN film_actor ON film.film_id = film_actor.film_id
    JOIN actor ON film_actor.actor_id = actor.actor_id
GROUP BY film.film_id, category.name;
CREATE TRIGGER customer_list_insert INSTEAD OF INSERT ON customer_list
BEGIN
    SELECT raise(ABORT, 'insert into customer');
END;
