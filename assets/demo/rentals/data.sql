-- rentals: rows drawn from fixed seeds, so that every build gives the same bytes.
--
-- `dice` holds five columns of Lehmer draws, x -> x * multiplier % (2^31 - 1), each with a multiplier
-- and a seed of its own. Every table takes a range of rows of its own. Titles and people are invented.
-- Amounts are multiples of a half dollar, so that sums of REAL are exact.

-- A store names its manager and a manager a store: both keys are deferred to the end of the
-- transaction; run outside one, this line lets the rows in (inside one it does nothing).
PRAGMA foreign_keys = OFF;

CREATE TEMP TABLE dice (n INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER, d INTEGER, e INTEGER);
WITH RECURSIVE draws (n, a, b, c, d, e) AS (
  VALUES (1, 1888881, 40961, 5550123, 99887766, 271828)
  UNION ALL
  SELECT n + 1, a * 48271 % 2147483647, b * 16807 % 2147483647, c * 69621 % 2147483647,
         d * 39373 % 2147483647, e * 742938285 % 2147483647
  FROM draws WHERE n < 6500
)
INSERT INTO dice SELECT * FROM draws;

CREATE TEMP TABLE given (n INTEGER PRIMARY KEY, name TEXT);
INSERT INTO given (name) VALUES
  ('Alba'), ('Anton'), ('Beatriz'), ('Caleb'), ('Clara'), ('Davide'), ('Dunya'), ('Emil'), ('Esther'),
  ('Fiona'), ('Gabor'), ('Hedda'), ('Ilya'), ('Imani'), ('Jasper'), ('Jun'), ('Katya'), ('Leon'),
  ('Livia'), ('Mateo'), ('Mira'), ('Nils'), ('Oona'), ('Pavel'), ('Petra'), ('Rafael'), ('Rania'),
  ('Sven'), ('Sofia'), ('Tamar'), ('Theo'), ('Ursula'), ('Viktor'), ('Wei'), ('Xenia'), ('Zeno');
CREATE TEMP TABLE family (n INTEGER PRIMARY KEY, name TEXT);
INSERT INTO family (name) VALUES
  ('Achterberg'), ('Amsel'), ('Baptiste'), ('Brandvold'), ('Calloway'), ('Carvalho'), ('Devereux'),
  ('Eriksen'), ('Fairbairn'), ('Ferreira'), ('Garrido'), ('Halvorsen'), ('Ito'), ('Jarvi'), ('Kestrel'),
  ('Laurent'), ('Lovelace'), ('Mandel'), ('Moreau'), ('Nkemelu'), ('Ossian'), ('Pereira'), ('Quill'),
  ('Rasmussen'), ('Sandoval'), ('Tennant'), ('Umarov'), ('Valente'), ('Whitlock'), ('Yamada'), ('Zapata'),
  ('Zimmer');
CREATE TEMP TABLE street (n INTEGER PRIMARY KEY, name TEXT);
INSERT INTO street (name) VALUES
  ('Mill Lane'), ('Harbour Road'), ('Station Street'), ('Chestnut Avenue'), ('Bakers Row'), ('Lake View'),
  ('Market Square'), ('Old Bridge Road'), ('Cedar Walk'), ('Weavers Court'), ('Hill Street'), ('Park Rise');

INSERT INTO country (country) VALUES
  ('Australia'), ('Canada'), ('Chile'), ('France'), ('Germany'), ('Greece'), ('Italy'), ('Japan'),
  ('Kenya'), ('Morocco'), ('Netherlands'), ('New Zealand'), ('Norway'), ('Portugal'), ('Scotland'), ('Turkey');
INSERT INTO city (city, country_id) VALUES
  ('Adelaide', 1), ('Cairns', 1), ('Hobart', 1), ('Calgary', 2), ('Halifax', 2), ('Kingston', 2),
  ('Arica', 3), ('Talca', 3), ('Valdivia', 3), ('Annecy', 4), ('Lyon', 4), ('Nantes', 4),
  ('Aachen', 5), ('Bremen', 5), ('Kassel', 5), ('Athens', 6), ('Patras', 6), ('Volos', 6),
  ('Ancona', 7), ('Parma', 7), ('Siena', 7), ('Kobe', 8), ('Nara', 8), ('Sapporo', 8),
  ('Kisumu', 9), ('Mombasa', 9), ('Nairobi', 9), ('Agadir', 10), ('Fez', 10), ('Rabat', 10),
  ('Amsterdam', 11), ('Breda', 11), ('Utrecht', 11), ('Auckland', 12), ('Napier', 12), ('Nelson', 12),
  ('Bergen', 13), ('Oslo', 13), ('Tromso', 13), ('Aveiro', 14), ('Braga', 14), ('Porto', 14),
  ('Aberdeen', 15), ('Dundee', 15), ('Perth', 15), ('Ankara', 16), ('Bursa', 16), ('Izmir', 16);
INSERT INTO language (name) VALUES ('English'), ('French'), ('German'), ('Japanese'), ('Spanish');
INSERT INTO category (name) VALUES
  ('Action'), ('Adventure'), ('Comedy'), ('Crime'), ('Drama'), ('Fantasy'),
  ('History'), ('Mystery'), ('Romance'), ('Sci-Fi'), ('Thriller'), ('Western');

-- 309 addresses, draws 1 to 309: 1 to 3 of stores, 4 to 9 of staff, 10 to 309 of customers
INSERT INTO address
SELECT dice.n, (1 + a % 180) || ' ' || street.name,
       CASE c % 5 WHEN 0 THEN 'Old Town' WHEN 1 THEN 'North Side' WHEN 2 THEN 'Riverside'
         WHEN 3 THEN 'Station Quarter' ELSE 'West End' END,
       1 + d % 48, CASE WHEN e % 20 = 0 THEN NULL ELSE printf('%05d', e % 90000 + 10000) END,
       printf('555-%04d', dice.n * 31 % 10000)
FROM dice JOIN street ON street.n = 1 + b % 12
WHERE dice.n <= 309 ORDER BY dice.n;

INSERT INTO store (store_id, manager_staff_id, address_id) VALUES (1, 1, 1), (2, 3, 2), (3, 5, 3);
INSERT INTO staff (staff_id, first_name, last_name, address_id, email, store_id) VALUES
  (1, 'Ada',   'Winslow',  4, 'ada@example.org',   1), (2, 'Boris', 'Kettle',   5, 'boris@example.org', 1),
  (3, 'Cleo',  'Marsh',    6, 'cleo@example.org',  2), (4, 'Dario', 'Penrose',  7, NULL,                2),
  (5, 'Enid',  'Falk',     8, 'enid@example.org',  3), (6, 'Floyd', 'Ashdown',  9, 'floyd@example.org', 3);

-- 300 customers, draws 401 to 700; the first has a name that can be asked for
INSERT INTO customer
SELECT dice.n - 400, 1 + c % 3,
       CASE dice.n WHEN 401 THEN 'Mary' ELSE g.name END, CASE dice.n WHEN 401 THEN 'Smith' ELSE f.name END,
       CASE WHEN e % 15 = 0 THEN NULL
         ELSE lower(CASE dice.n WHEN 401 THEN 'Mary' ELSE g.name END) || (dice.n - 400) || '@example.org' END,
       dice.n - 391, CASE WHEN d % 12 = 0 THEN 0 ELSE 1 END,
       date('2022-01-01', '+' || (c % 1000) || ' days')
FROM dice JOIN given AS g ON g.n = 1 + a % 36 JOIN family AS f ON f.n = 1 + b % 32
WHERE dice.n BETWEEN 401 AND 700 ORDER BY dice.n;

-- 80 actors, all of different names but for actor 73, who has that of actor 23: whoever groups by name
-- alone makes one of two people (in Sci-Fi films and cities with A: 37.0 and 28.0 dollars, not 65.0)
INSERT INTO actor
SELECT i.n, g.name, f.name
FROM (SELECT n, CASE n WHEN 73 THEN 23 ELSE n END AS named FROM dice WHERE n <= 80) AS i
JOIN given AS g ON g.n = 1 + i.named * 5 % 36 JOIN family AS f ON f.n = 1 + i.named * 7 % 32
ORDER BY i.n;

-- 240 films, draws 801 to 1040, all of different titles
CREATE TEMP TABLE first_word (n INTEGER PRIMARY KEY, word TEXT);
INSERT INTO first_word VALUES
  (0, 'Quiet'), (1, 'Crimson'), (2, 'Hollow'), (3, 'Paper'), (4, 'Winter'), (5, 'Silver'), (6, 'Restless'),
  (7, 'Borrowed'), (8, 'Painted'), (9, 'Northern'), (10, 'Broken'), (11, 'Velvet'), (12, 'Distant'),
  (13, 'Burning'), (14, 'Secret'), (15, 'Golden'), (16, 'Lonely'), (17, 'Electric'), (18, 'Forgotten'), (19, 'Wild');
CREATE TEMP TABLE last_word (n INTEGER PRIMARY KEY, word TEXT);
INSERT INTO last_word VALUES
  (0, 'Harbor'), (1, 'Orchard'), (2, 'Lantern'), (3, 'Compass'), (4, 'Meridian'), (5, 'Garden'), (6, 'Signal'),
  (7, 'Carousel'), (8, 'Tide'), (9, 'Ledger'), (10, 'Station'), (11, 'Mirror'), (12, 'Kite'), (13, 'Monsoon'),
  (14, 'Atlas'), (15, 'Ferry'), (16, 'Piano'), (17, 'Comet'), (18, 'Bridge'), (19, 'Canyon'), (20, 'Parade'),
  (21, 'Letter'), (22, 'Shadow'), (23, 'Island');
INSERT INTO film
SELECT dice.n - 800, first_word.word || ' ' || last_word.word, 1985 + a % 38,
       CASE WHEN b % 10 < 6 THEN 1 ELSE 2 + b / 16 % 4 END,
       3 + c % 5, 1.5 + d % 4, 74 + (e % 60) + (a / 64 % 40), 10.0 + c / 32 % 21,
       CASE e / 64 % 5 WHEN 0 THEN '12' WHEN 1 THEN '16' WHEN 2 THEN '18' ELSE 'all' END
FROM dice
JOIN first_word ON first_word.n = (dice.n - 801) % 20
JOIN last_word ON last_word.n = ((dice.n - 801) / 20 + (dice.n - 801) * 5) % 24
WHERE dice.n BETWEEN 801 AND 1040 ORDER BY dice.n;

-- Three to five actors a film: steps of 1 to 15 among 80 never meet within five
CREATE TEMP TABLE step (k INTEGER PRIMARY KEY);
INSERT INTO step VALUES (0), (1), (2), (3), (4), (5);
INSERT INTO film_actor (actor_id, film_id)
SELECT 1 + (a + k * (1 + b % 15)) % 80, dice.n - 800
FROM dice JOIN step ON k < 3 + c / 8 % 3
WHERE dice.n BETWEEN 801 AND 1040 ORDER BY dice.n, k;

-- One film in six is of two kinds
INSERT INTO film_category (film_id, category_id)
SELECT dice.n - 800, 1 + (d / 16 + k * (1 + e % 11)) % 12
FROM dice JOIN step ON k = 0 OR (k = 1 AND b / 16 % 6 = 0)
WHERE dice.n BETWEEN 801 AND 1040 ORDER BY dice.n, k;

-- Two to four copies of a film, but none of films 231 to 240
INSERT INTO inventory (film_id, store_id)
SELECT dice.n - 800, 1 + (e / 8 + k) % 3
FROM dice JOIN step ON k < 2 + d / 8 % 3
WHERE dice.n BETWEEN 801 AND 1030 ORDER BY dice.n, k;

-- Each copy has six turns of 60 days in 2025, of which it takes most; draws from 1101 on. A turn begins
-- within its first 50 days and lasts 9 at most, so that no copy is out twice at once.
-- Customers 291 to 300 never rent. Rentals since 8 December are still out.
CREATE TEMP TABLE turn AS
SELECT inventory_id, film_id, store_id, 1 + b % 290 AS customer_id, 2 * store_id - c % 2 AS staff_id, d, e,
       datetime('2025-01-01', '+' || (k * 60 + a % 50) || ' days', '+' || (540 + c / 16 % 720) || ' minutes') AS began
FROM inventory JOIN step JOIN dice ON dice.n = 1100 + (inventory_id - 1) * 6 + k
WHERE d % 100 < 86;
INSERT INTO rental (rental_id, rental_date, inventory_id, customer_id, return_date, staff_id)
SELECT row_number() OVER (ORDER BY began, inventory_id), substr(began, 1, 16), inventory_id, customer_id,
       CASE WHEN began < '2025-12-08'
         THEN substr(datetime(began, '+' || (1 + e % 9) || ' days', printf('%+d minutes', e / 16 % 240 - 120)), 1, 16) END,
       staff_id
FROM turn ORDER BY began, inventory_id;

-- The price is paid at once, except for one rental in fifty; a late fee of a dollar a day on return.
INSERT INTO payment (payment_id, customer_id, staff_id, rental_id, amount, payment_date)
SELECT row_number() OVER (ORDER BY paid, rental_id), customer_id, staff_id, rental_id, amount, paid
FROM (
  SELECT r.customer_id, r.staff_id, r.rental_id, f.rental_rate AS amount, r.rental_date AS paid
  FROM rental AS r JOIN inventory AS i ON i.inventory_id = r.inventory_id JOIN film AS f ON f.film_id = i.film_id
  WHERE r.rental_id % 50 <> 0
  UNION ALL
  SELECT r.customer_id, r.staff_id, r.rental_id,
         1.0 * (julianday(date(r.return_date)) - julianday(date(r.rental_date)) - f.rental_duration), r.return_date
  FROM rental AS r JOIN inventory AS i ON i.inventory_id = r.inventory_id JOIN film AS f ON f.film_id = i.film_id
  WHERE julianday(date(r.return_date)) - julianday(date(r.rental_date)) > f.rental_duration
)
ORDER BY paid, rental_id;

DROP TABLE temp.dice;
DROP TABLE temp.given;
DROP TABLE temp.family;
DROP TABLE temp.street;
DROP TABLE temp.first_word;
DROP TABLE temp.last_word;
DROP TABLE temp.step;
DROP TABLE temp.turn;
PRAGMA foreign_keys = ON;
