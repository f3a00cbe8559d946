-- reservo: rooms that members book by the hour, and what they paid. Every row is written out.

CREATE TABLE rooms ( -- Rooms that can be booked by the hour
  id                INTEGER PRIMARY KEY,
  name              TEXT    NOT NULL UNIQUE,
  floor             INTEGER NOT NULL,
  capacity          INTEGER NOT NULL CHECK (capacity > 0),          -- seats
  hourly_rate_cents INTEGER NOT NULL CHECK (hourly_rate_cents > 0), -- today's rate for one hour, in euro cents
  has_screen        INTEGER NOT NULL DEFAULT 0 CHECK (has_screen IN (0, 1)) -- 1 when the room has a screen
);

CREATE TABLE members ( -- People who may book
  id        INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  email     TEXT NOT NULL UNIQUE,
  tier      TEXT NOT NULL DEFAULT 'basic' CHECK (tier IN ('basic', 'plus', 'team')), -- kind of membership
  city      TEXT,          -- NULL when the member did not say
  joined_on TEXT NOT NULL  -- date, YYYY-MM-DD
);

CREATE TABLE bookings ( -- One row for each booking of one room by one member
  id          INTEGER PRIMARY KEY,
  room_id     INTEGER NOT NULL REFERENCES rooms (id),
  member_id   INTEGER NOT NULL REFERENCES members (id),
  starts_at   TEXT    NOT NULL,                                 -- YYYY-MM-DD HH:MM
  hours       INTEGER NOT NULL CHECK (hours BETWEEN 1 AND 12),
  status      TEXT    NOT NULL DEFAULT 'pending'
              CHECK (status IN ('confirmed', 'cancelled', 'pending')), -- only confirmed bookings count as revenue
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0)         -- agreed for the whole booking, in euro cents
);

CREATE TABLE payments ( -- Money received for bookings; a booking may be paid in several parts
  id           INTEGER PRIMARY KEY,
  booking_id   INTEGER NOT NULL REFERENCES bookings (id),
  amount_cents INTEGER NOT NULL, -- in euro cents; negative for a refund
  method       TEXT    NOT NULL CHECK (method IN ('card', 'transfer', 'cash')),
  paid_on      TEXT    NOT NULL  -- date, YYYY-MM-DD
);

CREATE INDEX bookings_by_room   ON bookings (room_id, starts_at);
CREATE INDEX bookings_by_member ON bookings (member_id);
CREATE INDEX payments_by_booking ON payments (booking_id);
