-- reservo: every row is written out.
--
-- By hand, in euros, the 14 confirmed bookings:
--   Linden  8 h + 6 h             at 65.00   520 + 390            =  910
--   Juniper 6 h + 4 h + 1 h       at 45.00   270 + 180 + 45       =  495
--   Cedar   8 h + 3 h + 1 h       at 32.00   256 +  96 + 32       =  384
--   Birch   4 h + 3 h             at 24.00    96 +  72            =  168
--   Alder   4 h + 2 h + 2 h       at 18.00    72 +  36 + 36       =  144
--   Booth   2 h                   at  9.00    18                  =   18
--                                                           sum     2119  -> 211900 cents
-- 14 confirmed + 5 cancelled + 4 pending = 23 bookings.

INSERT INTO rooms (id, name, floor, capacity, hourly_rate_cents, has_screen) VALUES
  (1, 'Alder',   1,  4, 1800, 0),
  (2, 'Birch',   1,  6, 2400, 1),
  (3, 'Cedar',   2,  8, 3200, 1),
  (4, 'Juniper', 2, 12, 4500, 1),
  (5, 'Linden',  3, 20, 6500, 1),
  (6, 'Booth',   1,  1,  900, 0);

INSERT INTO members (id, full_name, email, tier, city, joined_on) VALUES
  (1, 'Ines Okafor',    'ines@example.org',   'team',  'Porto',  '2025-02-03'),
  (2, 'Tomas Lindqvist','tomas@example.org',  'plus',  'Lisbon', '2025-03-17'),
  (3, 'Priya Nair',     'priya@example.org',  'team',  'Lisbon', '2025-06-21'),
  (4, 'Hugo Marchetti', 'hugo@example.org',   'basic', 'Braga',  '2025-09-01'),
  (5, 'Sanna Virtanen', 'sanna@example.org',  'basic', NULL,     '2025-11-12'),
  (6, 'Leila Haddad',   'leila@example.org',  'plus',  'Porto',  '2026-01-08'),
  (7, 'Owen Castellan', 'owen@example.org',   'basic', 'Lisbon', '2026-02-19'),
  (8, 'Mei Tanaka',     'mei@example.org',    'plus',  'Braga',  '2026-03-30');

INSERT INTO bookings (id, room_id, member_id, starts_at, hours, status, price_cents) VALUES
  ( 1, 5, 1, '2026-04-02 09:00', 8, 'confirmed', 52000),
  ( 2, 3, 2, '2026-04-03 09:00', 8, 'confirmed', 25600),
  ( 3, 1, 4, '2026-04-07 14:00', 2, 'confirmed',  3600),
  ( 4, 4, 3, '2026-04-09 10:00', 6, 'confirmed', 27000),
  ( 5, 2, 6, '2026-04-10 13:00', 3, 'cancelled',  7200),
  ( 6, 6, 5, '2026-04-14 11:00', 2, 'confirmed',  1800),
  ( 7, 2, 2, '2026-04-16 09:00', 4, 'confirmed',  9600),
  ( 8, 5, 3, '2026-04-21 09:00', 6, 'confirmed', 39000),
  ( 9, 3, 7, '2026-04-23 15:00', 2, 'cancelled',  6400),
  (10, 1, 4, '2026-04-28 09:00', 4, 'confirmed',  7200),
  (11, 4, 6, '2026-05-05 13:00', 4, 'confirmed', 18000),
  (12, 3, 1, '2026-05-06 10:00', 3, 'confirmed',  9600),
  (13, 5, 2, '2026-05-07 09:00', 4, 'cancelled', 26000),
  (14, 2, 8, '2026-05-12 14:00', 3, 'confirmed',  7200),
  (15, 4, 1, '2026-05-13 16:00', 1, 'confirmed',  4500),
  (16, 6, 7, '2026-05-15 10:00', 1, 'cancelled',   900),
  (17, 1, 8, '2026-05-19 11:00', 2, 'confirmed',  3600),
  (18, 3, 6, '2026-05-21 17:00', 1, 'confirmed',  3200),
  (19, 4, 4, '2026-05-26 09:00', 3, 'cancelled', 13500),
  (20, 5, 3, '2026-06-02 09:00', 5, 'pending',   32500),
  (21, 2, 5, '2026-06-03 13:00', 2, 'pending',    4800),
  (22, 3, 8, '2026-06-04 09:00', 4, 'pending',   12800),
  (23, 1, 7, '2026-06-09 15:00', 1, 'pending',    1800);

-- Bookings 1, 4 and 8 were paid in two parts, 13 was refunded, 11 and 18 are still open.
INSERT INTO payments (id, booking_id, amount_cents, method, paid_on) VALUES
  ( 1,  1,  20000, 'transfer', '2026-03-20'),
  ( 2,  1,  32000, 'transfer', '2026-04-10'),
  ( 3,  2,  25600, 'card',     '2026-04-03'),
  ( 4,  3,   3600, 'cash',     '2026-04-07'),
  ( 5,  4,  13500, 'card',     '2026-04-01'),
  ( 6,  4,  13500, 'card',     '2026-04-09'),
  ( 7,  6,   1800, 'card',     '2026-04-14'),
  ( 8,  7,   9600, 'card',     '2026-04-16'),
  ( 9,  8,  15000, 'transfer', '2026-04-15'),
  (10,  8,  24000, 'transfer', '2026-05-04'),
  (11, 10,   7200, 'card',     '2026-04-28'),
  (12, 12,   9600, 'card',     '2026-05-06'),
  (13, 13,  26000, 'transfer', '2026-04-30'),
  (14, 13, -26000, 'transfer', '2026-05-08'),
  (15, 14,   7200, 'cash',     '2026-05-12'),
  (16, 15,   4500, 'card',     '2026-05-13'),
  (17, 17,   3600, 'card',     '2026-05-19');
