//! Names cut short: what the words of a column's name stand for.

/// Abbreviations in names, and what each stands for; our own choice.
const SHORT: &[(&str, &str)] = &[
    ("acct", "account"),
    ("addr", "address"),
    ("adj", "adjustment"),
    ("amt", "amount"),
    ("attr", "attribute"),
    ("avg", "average"),
    ("bal", "balance"),
    ("cd", "code"),
    ("cnt", "count"),
    ("cntry", "country"),
    ("ctry", "country"),
    ("cust", "customer"),
    ("dept", "department"),
    ("desc", "description"),
    ("descr", "description"),
    ("dist", "distance"),
    ("div", "division"),
    ("dob", "date of birth"),
    ("dt", "date"),
    ("dur", "duration"),
    ("emp", "employee"),
    ("fname", "first name"),
    ("freq", "frequency"),
    ("gdp", "gross domestic product"),
    ("grp", "group"),
    ("hr", "hour"),
    ("hrs", "hours"),
    ("inv", "invoice"),
    ("lat", "latitude"),
    ("lname", "last name"),
    ("lng", "longitude"),
    ("loc", "location"),
    ("lon", "longitude"),
    ("lvl", "level"),
    ("mfr", "manufacturer"),
    ("mgr", "manager"),
    ("mo", "month"),
    ("msg", "message"),
    ("mth", "month"),
    ("nbr", "number"),
    ("num", "number"),
    ("ord", "order"),
    ("org", "organization"),
    ("pct", "percent"),
    ("perf", "performance"),
    ("pmt", "payment"),
    ("pop", "population"),
    ("pos", "position"),
    ("prc", "price"),
    ("prod", "product"),
    ("pymt", "payment"),
    ("qty", "quantity"),
    ("rcpt", "receipt"),
    ("reg", "region"),
    ("rev", "revenue"),
    ("sal", "salary"),
    ("seq", "sequence"),
    ("stat", "status"),
    ("std", "standard"),
    ("tel", "telephone"),
    ("tot", "total"),
    ("txn", "transaction"),
    ("uom", "unit of measure"),
    ("val", "value"),
    ("wgt", "weight"),
    ("wk", "week"),
    ("wt", "weight"),
    ("yr", "year"),
    ("ytd", "year to date"),
];

/// Writes a name in full where a word of it is an abbreviation: `cust_no` is no surprise,
/// `ord_qty` is `order quantity`.
pub(super) fn words(name: &str) -> Vec<String> {
    let words = split(name);
    let full = |word: &String| SHORT.iter().find(|(short, _)| short == word).map(|(_, full)| *full);
    if !words.iter().any(|word| full(word).is_some()) {
        return Vec::new();
    }
    let words: Vec<&str> = words.iter().map(|word| full(word).unwrap_or(word)).collect();
    vec![words.join(" ")]
}

/// Splits a name into its words, in lower case.
pub(in crate::knowledge) fn split(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut lower = false;
    for c in name.chars() {
        let starts = c.is_uppercase() && lower;
        if (starts || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        lower = c.is_lowercase() || c.is_numeric();
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_are_written_in_full() {
        assert_eq!(words("ord_qty"), ["order quantity"]);
        assert_eq!(words("custAddr"), ["customer address"]);
        assert_eq!(words("quantity"), Vec::<String>::new());
        assert_eq!(words("status"), Vec::<String>::new());
    }

    #[test]
    fn names_split_at_signs_and_capitals() {
        assert_eq!(split("UnitPrice"), ["unit", "price"]);
        assert_eq!(split("Order Details"), ["order", "details"]);
        assert_eq!(split("customerID"), ["customer", "id"]);
    }
}
