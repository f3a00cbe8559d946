-- sales: one table of revenue by region, product and quarter. Every row is written out.

CREATE TABLE sales ( -- Sales booked, several for each region, product and quarter
  id         INTEGER PRIMARY KEY,
  region     TEXT    NOT NULL, -- values: 'North America', 'Europe', 'Asia Pacific'
  product    TEXT    NOT NULL, -- values: 'Product A', 'Product B'
  revenue    REAL    NOT NULL, -- US dollars, net of discounts
  units_sold INTEGER NOT NULL, -- units
  quarter    TEXT    NOT NULL CHECK (quarter IN ('Q1', 'Q2', 'Q3', 'Q4')), -- values: 'Q1','Q2','Q3','Q4'
  year       INTEGER NOT NULL  -- calendar year, which is the fiscal year
);

CREATE INDEX sales_by_quarter ON sales (year, quarter);
