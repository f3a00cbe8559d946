-- insurance: rows drawn from fixed seeds, so that every build gives the same bytes.
--
-- `dice` holds five columns of Lehmer draws, x -> x * multiplier % (2^31 - 1), each with a multiplier
-- and a seed of its own. Every table takes a range of rows of its own. All names are invented.

CREATE TEMP TABLE dice (n INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER, d INTEGER, e INTEGER);
WITH RECURSIVE draws (n, a, b, c, d, e) AS (
  VALUES (1, 20260615, 7351, 990017, 31337421, 424242)
  UNION ALL
  SELECT n + 1, a * 48271 % 2147483647, b * 16807 % 2147483647, c * 69621 % 2147483647,
         d * 39373 % 2147483647, e * 742938285 % 2147483647
  FROM draws WHERE n < 10000
)
INSERT INTO dice SELECT * FROM draws;

CREATE TEMP TABLE given (n INTEGER PRIMARY KEY, name TEXT);
INSERT INTO given (name) VALUES
  ('Adele'), ('Amir'), ('Bea'), ('Bruno'), ('Carmen'), ('Chidi'), ('Dalia'), ('Edgar'), ('Elif'),
  ('Farah'), ('Felix'), ('Greta'), ('Hana'), ('Ignacio'), ('Iris'), ('Jonas'), ('Kamal'), ('Lena'),
  ('Luca'), ('Maren'), ('Milo'), ('Nadia'), ('Noor'), ('Oskar'), ('Paula'), ('Quentin'), ('Rosa'),
  ('Samir'), ('Selma'), ('Tariq'), ('Thea'), ('Ugo'), ('Vera'), ('Wanda'), ('Yusuf'), ('Zora');
CREATE TEMP TABLE family (n INTEGER PRIMARY KEY, name TEXT);
INSERT INTO family (name) VALUES
  ('Abara'), ('Albrecht'), ('Bergström'), ('Bellini'), ('Cardoso'), ('Chandra'), ('Dufour'), ('Ekberg'),
  ('Farouk'), ('Fontana'), ('Galvez'), ('Hartwell'), ('Ibsen'), ('Jansky'), ('Kaplan'), ('Kowal'),
  ('Lindgren'), ('Marchand'), ('Mbeki'), ('Novak'), ('O''Hara'), ('Petrov'), ('Quist'), ('Rahimi'),
  ('Sato'), ('Silva'), ('Thorne'), ('Ueda'), ('Varga'), ('Weiss'), ('Yilmaz'), ('Zeller');

-- 36 agents: three for each channel and line of business
INSERT INTO agents
SELECT 'A' || (999 + dice.n), g.name || ' ' || f.name, printf('LIC-%08X', a),
       CASE (dice.n - 1) / 3 % 6 WHEN 0 THEN 'Harbour Assurance' WHEN 1 THEN 'Meridian Brokers'
         WHEN 2 THEN 'Oakfield Partners' WHEN 3 THEN 'Northgate Cover' WHEN 4 THEN 'Bluestone Agency'
         ELSE 'Lantern & Sons' END,
       CASE dice.n % 3 WHEN 0 THEN 'Telemarketing' WHEN 1 THEN 'Digital' ELSE 'Branch' END,
       CASE (dice.n - 1) / 3 % 4 WHEN 0 THEN 'auto' WHEN 1 THEN 'home' WHEN 2 THEN 'health' ELSE 'life' END
FROM dice
JOIN given AS g ON g.n = 1 + b % 36
JOIN family AS f ON f.n = 1 + c % 32
WHERE dice.n <= 36
ORDER BY dice.n;

-- 1,500 customers, draws 101 to 1600
INSERT INTO customers
SELECT 'C' || (9900 + dice.n), g.name || ' ' || f.name,
       date('1942-01-01', '+' || (c % 23000) || ' days'),
       CASE WHEN d % 100 < 34 THEN 'single' WHEN d % 100 < 80 THEN 'married'
         WHEN d % 100 < 94 THEN 'divorced' ELSE 'widowed' END,
       CASE e % 4 WHEN 0 THEN 'North' WHEN 1 THEN 'East' WHEN 2 THEN 'South' ELSE 'West' END,
       21000.0 + (a / 64 % 1000) * (b / 64 % 1000) / 10 + c / 128 % 100 * 50,
       CASE WHEN e / 4 % 100 < 4 THEN NULL ELSE 480 + (d / 128 % 186) + (e / 512 % 186) END,
       CASE WHEN a / 4096 % 10 < 4 THEN 'low' WHEN a / 4096 % 10 < 8 THEN 'medium' ELSE 'high' END
FROM dice
JOIN given AS g ON g.n = 1 + a % 36
JOIN family AS f ON f.n = 1 + b % 32
WHERE dice.n BETWEEN 101 AND 1600
ORDER BY dice.n;

-- 2,400 policies, draws 2001 to 4400; one in eight goes to a branch, whoever would have sold it
INSERT INTO policies
SELECT 'P' || (98000 + n), 'C' || (10001 + b % 1500), agent_id, policy_type,
       round(base * CASE risk WHEN 'low' THEN 0.8 WHEN 'medium' THEN 1.0 ELSE 1.5 END
             * (70 + d / 64 % 61) / 100.0, 2),
       round(base * times * (60 + e / 64 % 81) / 100.0, -3) + 10000.0,
       risk, start_year, end_year,
       CASE WHEN e / 8192 % 100 < 7 THEN 'CAN' WHEN end_year >= 2026 THEN 'ACT' ELSE 'EXP' END
FROM (
  SELECT dice.n, b, d, e, agent_id, policy_type,
         CASE policy_type WHEN 'auto' THEN 780 WHEN 'home' THEN 960 WHEN 'health' THEN 2450 ELSE 1320 END AS base,
         CASE policy_type WHEN 'auto' THEN 40 WHEN 'home' THEN 280 WHEN 'health' THEN 60 ELSE 190 END AS times,
         CASE WHEN c / 16 % 10 < 5 THEN 'low' WHEN c / 16 % 10 < 8 THEN 'medium' ELSE 'high' END AS risk,
         2019 + d % 7 AS start_year,
         2019 + d % 7 + CASE policy_type WHEN 'life' THEN 10 + e % 3 * 5 ELSE e % 4 END AS end_year
  FROM dice
  JOIN agents ON agents.rowid = 1 + CASE WHEN c % 8 = 0 THEN a % 12 * 3 + 1 ELSE a % 36 END
  WHERE dice.n BETWEEN 2001 AND 4400
)
ORDER BY n;

-- 2,200 claims, draws 4501 to 6700, each within the years of its policy
INSERT INTO claims
SELECT 'CL' || (495500 + n), policy_id, date(loss_year || '-01-01', '+' || (c % 365) || ' days'),
       amount,
       CASE status WHEN 'OPN' THEN NULL WHEN 'REJ' THEN 0.0 ELSE round(amount * (68 + d % 33) / 100.0, 2) END,
       status, fraud,
       CASE status WHEN 'OPN' THEN NULL ELSE 2 + e / 64 % 30 + fraud * 25 + (e / 4096 % 40) * (c / 64 % 2) END
FROM (
  SELECT dice.n, c, d, e, policy_id,
         policy_start_year + b % (min(policy_end_year, 2025) - policy_start_year + 1) AS loss_year,
         round(premium_amount * (0.15 + 2.2 * (d / 64 % 1000) * (d / 64 % 1000) / 1000000.0), 2) AS amount,
         CASE WHEN e % 100 < 8 THEN 'OPN' WHEN e % 100 < 21 OR (b / 64 % 25 = 0 AND e % 2 = 0) THEN 'REJ'
           ELSE 'PAD' END AS status,
         b / 64 % 25 = 0 AS fraud
  FROM dice
  JOIN policies ON policies.rowid = 1 + a % 2400
  WHERE dice.n BETWEEN 4501 AND 6700
)
ORDER BY n;

-- Submissions from 2023 to 2025: each policy of these years has its bound one; 2,000 quoted and 700
-- declined ones, draws 6801 to 9500, of which digital agents bring in more than others do.
INSERT INTO submissions
SELECT 'S' || (200000 + row_number() OVER (ORDER BY asked, tie)), customer_id, agent_id, policy_type,
       asked, date(asked, '+' || wait || ' days'), statusid, quoted_premium, policy_id
FROM (
  SELECT customer_id, agent_id, policy_type, policies.rowid AS tie,
         date(policy_start_year || '-01-01', '+' || (dice.a % 340) || ' days') AS asked,
         dice.b % 6 AS wait, 'BND' AS statusid, premium_amount AS quoted_premium, policy_id
  FROM policies
  JOIN dice ON dice.n = 2000 + policies.rowid
  WHERE policy_start_year >= 2023
  UNION ALL
  SELECT 'C' || (10001 + b % 1500), agent_id, policy_type, dice.n,
         date('2023-01-01', '+' || (c % 1090) || ' days'), d % 6,
         CASE WHEN dice.n <= 8800 THEN 'QTE' ELSE 'DEC' END,
         CASE WHEN dice.n <= 8800 THEN
           round((70 + e / 64 % 120) / 100.0
             * CASE policy_type WHEN 'auto' THEN 780 WHEN 'home' THEN 960 WHEN 'health' THEN 2450 ELSE 1320 END, 2)
         END,
         NULL
  FROM dice
  JOIN agents ON agents.rowid = 1 + CASE WHEN e % 6 = 0 THEN a % 12 * 3 ELSE a % 36 END
  WHERE dice.n BETWEEN 6801 AND 9500
)
ORDER BY asked, tie;

DROP TABLE temp.dice;
DROP TABLE temp.given;
DROP TABLE temp.family;
