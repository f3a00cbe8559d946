-- insurance: from the first quote to policies and their claims.

CREATE TABLE agents ( -- Sales people who bring in submissions and policies
  agent_id             TEXT PRIMARY KEY NOT NULL,    -- 'A' and a number, from A1000
  agent_name           TEXT NOT NULL,
  agent_license_number TEXT NOT NULL UNIQUE,         -- 'LIC-' and 8 characters
  agency_name          TEXT NOT NULL,                -- agency that employs the agent
  channel              TEXT NOT NULL CHECK (channel IN ('Telemarketing', 'Digital', 'Branch')), -- how the agent sells
  policy_type          TEXT NOT NULL CHECK (policy_type IN ('auto', 'home', 'health', 'life'))  -- line of business the agent handles
);

CREATE TABLE customers ( -- One row for each person insured, or who asked for a quote
  customer_id    TEXT PRIMARY KEY NOT NULL, -- 'C' and a number, from C10001
  full_name      TEXT NOT NULL,
  date_of_birth  TEXT NOT NULL,             -- YYYY-MM-DD
  marital_status TEXT NOT NULL CHECK (marital_status IN ('single', 'married', 'divorced', 'widowed')),
  region         TEXT NOT NULL,             -- values: 'North', 'East', 'South', 'West'
  annual_income  REAL NOT NULL CHECK (annual_income > 0), -- US dollars a year, before tax
  credit_score   INTEGER CHECK (credit_score BETWEEN 300 AND 850), -- NULL when never asked for
  risk_tolerance TEXT NOT NULL CHECK (risk_tolerance IN ('low', 'medium', 'high')) -- the customer's own statement
);

CREATE TABLE policies ( -- One row for each policy issued
  policy_id         TEXT PRIMARY KEY NOT NULL, -- 'P' and a number, from P100001
  customer_id       TEXT NOT NULL REFERENCES customers (customer_id),
  agent_id          TEXT NOT NULL REFERENCES agents (agent_id),
  policy_type       TEXT NOT NULL CHECK (policy_type IN ('auto', 'home', 'health', 'life')), -- line of business
  premium_amount    REAL NOT NULL CHECK (premium_amount > 0), -- US dollars a year
  coverage_amount   REAL NOT NULL,             -- most that is paid out, US dollars
  policy_risk_level TEXT NOT NULL CHECK (policy_risk_level IN ('low', 'medium', 'high')), -- the underwriter's verdict
  policy_start_year INTEGER NOT NULL,          -- first year of cover
  policy_end_year   INTEGER NOT NULL,          -- last year of cover
  policy_status     TEXT NOT NULL CHECK (policy_status IN ('ACT', 'EXP', 'CAN')), -- ACT in force, EXP expired, CAN cancelled
  CHECK (policy_end_year >= policy_start_year)
);

CREATE TABLE claims ( -- One row for each claim on a policy
  claim_id             TEXT PRIMARY KEY NOT NULL, -- 'CL' and a number, from CL500001
  policy_id            TEXT NOT NULL REFERENCES policies (policy_id),
  claim_date           TEXT NOT NULL,             -- day of the loss, YYYY-MM-DD
  claim_amount         REAL NOT NULL,             -- asked for, US dollars
  approved_amount      REAL,                      -- granted, US dollars; NULL while the claim is open
  claim_status         TEXT NOT NULL CHECK (claim_status IN ('OPN', 'PAD', 'REJ')), -- OPN open, PAD paid, REJ rejected
  fraud_flag           INTEGER NOT NULL DEFAULT 0 CHECK (fraud_flag IN (0, 1)), -- 1 when fraud is suspected
  processing_time_days INTEGER                    -- days from report to decision; NULL while the claim is open
);

CREATE TABLE submissions ( -- One row for each request for a quote, in its newest state
  submission_id   TEXT PRIMARY KEY NOT NULL, -- 'S' and a number, from S200001
  customer_id     TEXT NOT NULL REFERENCES customers (customer_id),
  agent_id        TEXT NOT NULL REFERENCES agents (agent_id),
  policy_type     TEXT NOT NULL CHECK (policy_type IN ('auto', 'home', 'health', 'life')), -- line of business asked for
  submission_date TEXT NOT NULL,             -- day of the request, YYYY-MM-DD
  assignment_date TEXT NOT NULL,             -- day it was given to the agent, YYYY-MM-DD
  statusid        TEXT NOT NULL CHECK (statusid IN ('BND', 'QTE', 'DEC')), -- BND bound, QTE quoted only, DEC declined
  quoted_premium  REAL,                      -- US dollars a year; NULL when declined
  policy_id       TEXT UNIQUE REFERENCES policies (policy_id) -- the policy it became; NULL unless bound
);

CREATE INDEX policies_by_customer ON policies (customer_id);
CREATE INDEX policies_by_agent ON policies (agent_id);
CREATE INDEX claims_by_policy ON claims (policy_id);
CREATE INDEX submissions_by_agent ON submissions (agent_id, statusid);
