//! Repairs on a small schema: each mends what it can prove and leaves the rest.
