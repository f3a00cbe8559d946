-- rentals: a chain of shops that rents out films on DVD. 15 tables.

CREATE TABLE country ( -- Countries
  country_id INTEGER PRIMARY KEY,
  country    TEXT NOT NULL UNIQUE
);

CREATE TABLE city ( -- Cities
  city_id    INTEGER PRIMARY KEY,
  city       TEXT NOT NULL,
  country_id INTEGER NOT NULL REFERENCES country (country_id)
);

CREATE TABLE address ( -- Where customers and staff live, and where stores are
  address_id  INTEGER PRIMARY KEY,
  address     TEXT NOT NULL, -- number and street
  district    TEXT NOT NULL,
  city_id     INTEGER NOT NULL REFERENCES city (city_id),
  postal_code TEXT,
  phone       TEXT NOT NULL
);

CREATE TABLE language ( -- Languages spoken in films
  language_id INTEGER PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE
);

CREATE TABLE category ( -- Kinds of film
  category_id INTEGER PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE
);

CREATE TABLE actor ( -- Actors; two of them may share a name
  actor_id   INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name  TEXT NOT NULL
);

CREATE TABLE film ( -- Films, whether or not a copy is in stock
  film_id          INTEGER PRIMARY KEY,
  title            TEXT NOT NULL,
  release_year     INTEGER NOT NULL,
  language_id      INTEGER NOT NULL REFERENCES language (language_id),
  rental_duration  INTEGER NOT NULL DEFAULT 5, -- days until a copy is late
  rental_rate      REAL NOT NULL,              -- price of one rental, in dollars
  length           INTEGER NOT NULL,           -- minutes
  replacement_cost REAL NOT NULL,              -- due for a lost copy, in dollars
  rating           TEXT NOT NULL CHECK (rating IN ('all', '12', '16', '18')) -- youngest age admitted
);

CREATE TABLE film_actor ( -- Who plays in which film
  actor_id INTEGER NOT NULL REFERENCES actor (actor_id),
  film_id  INTEGER NOT NULL REFERENCES film (film_id),
  PRIMARY KEY (actor_id, film_id)
);

CREATE TABLE film_category ( -- Which film is of which kind; some are of two
  film_id     INTEGER NOT NULL REFERENCES film (film_id),
  category_id INTEGER NOT NULL REFERENCES category (category_id),
  PRIMARY KEY (film_id, category_id)
);

CREATE TABLE store ( -- Shops of the chain
  store_id         INTEGER PRIMARY KEY,
  manager_staff_id INTEGER NOT NULL UNIQUE REFERENCES staff (staff_id) DEFERRABLE INITIALLY DEFERRED,
  address_id       INTEGER NOT NULL REFERENCES address (address_id)
);

CREATE TABLE staff ( -- People who work in a store
  staff_id   INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name  TEXT NOT NULL,
  address_id INTEGER NOT NULL REFERENCES address (address_id),
  email      TEXT,
  store_id   INTEGER NOT NULL REFERENCES store (store_id) DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE customer ( -- People who rent films
  customer_id INTEGER PRIMARY KEY,
  store_id    INTEGER NOT NULL REFERENCES store (store_id), -- store where the customer registered
  first_name  TEXT NOT NULL,
  last_name   TEXT NOT NULL,
  email       TEXT,
  address_id  INTEGER NOT NULL REFERENCES address (address_id),
  active      INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)), -- 0 when the membership has ended
  create_date TEXT NOT NULL -- day of registration, YYYY-MM-DD
);

CREATE TABLE inventory ( -- One row for each copy of a film
  inventory_id INTEGER PRIMARY KEY,
  film_id      INTEGER NOT NULL REFERENCES film (film_id),
  store_id     INTEGER NOT NULL REFERENCES store (store_id)
);

CREATE TABLE rental ( -- One row for each time that a copy is rented out
  rental_id    INTEGER PRIMARY KEY,
  rental_date  TEXT NOT NULL, -- YYYY-MM-DD HH:MM
  inventory_id INTEGER NOT NULL REFERENCES inventory (inventory_id),
  customer_id  INTEGER NOT NULL REFERENCES customer (customer_id),
  return_date  TEXT,          -- YYYY-MM-DD HH:MM; NULL while the copy is out
  staff_id     INTEGER NOT NULL REFERENCES staff (staff_id)
);

CREATE TABLE payment ( -- Money received: the price of a rental, and a late fee of its own
  payment_id   INTEGER PRIMARY KEY,
  customer_id  INTEGER NOT NULL REFERENCES customer (customer_id),
  staff_id     INTEGER NOT NULL REFERENCES staff (staff_id),
  rental_id    INTEGER NOT NULL REFERENCES rental (rental_id),
  amount       REAL NOT NULL, -- dollars
  payment_date TEXT NOT NULL  -- YYYY-MM-DD HH:MM
);

CREATE INDEX city_by_country ON city (country_id);
CREATE INDEX address_by_city ON address (city_id);
CREATE INDEX film_by_title ON film (title);
CREATE INDEX film_actor_by_film ON film_actor (film_id);
CREATE INDEX film_category_by_category ON film_category (category_id);
CREATE INDEX customer_by_name ON customer (last_name, first_name);
CREATE INDEX customer_by_address ON customer (address_id);
CREATE INDEX inventory_by_film ON inventory (film_id);
CREATE INDEX rental_by_copy ON rental (inventory_id, rental_date);
CREATE INDEX rental_by_customer ON rental (customer_id);
CREATE INDEX payment_by_rental ON payment (rental_id);
CREATE INDEX payment_by_customer ON payment (customer_id);
