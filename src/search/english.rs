//! General English that names and questions share: abbreviations, synonyms, filler, demonyms.
//!
//! **Invariant:** nothing here is taken from a particular database.

/// Short forms in identifiers, with the words that they stand for.
pub const ABBREVIATIONS: &[(&str, &str)] = &[
    ("acc", "account"),
    ("acct", "account"),
    ("addr", "address"),
    ("amt", "amount"),
    ("avg", "average"),
    ("cat", "category"),
    ("cnt", "count"),
    ("cust", "customer"),
    ("dept", "department"),
    ("desc", "description"),
    ("dno", "department number"),
    ("dob", "date of birth"),
    ("emp", "employee"),
    ("fname", "first name"),
    ("firstname", "first name"),
    ("gov", "government"),
    ("govt", "government"),
    ("indep", "independence"),
    ("info", "information"),
    ("inv", "invoice"),
    ("lang", "language"),
    ("lat", "latitude"),
    ("lname", "last name"),
    ("lastname", "last name"),
    ("lng", "longitude"),
    ("loc", "location"),
    ("long", "longitude"),
    ("max", "maximum"),
    ("mgr", "manager"),
    ("min", "minimum"),
    ("mname", "middle name"),
    ("msg", "message"),
    ("nbr", "number"),
    ("no", "number"),
    ("num", "number"),
    ("org", "organization"),
    ("pct", "percent"),
    ("pop", "population"),
    ("pos", "position"),
    ("prod", "product"),
    ("qty", "quantity"),
    ("ref", "reference"),
    ("sem", "semester"),
    ("ssn", "social security number"),
    ("tel", "telephone"),
    ("txn", "transaction"),
    ("univ", "university"),
    ("yr", "year"),
];

/// Words that often end a glued column name.
pub const TAIL_WORDS: &[&str] = &[
    "address", "age", "amount", "area", "city", "code", "cost", "count", "country", "date", "day",
    "desc", "description", "email", "first", "form", "gender", "grade", "hours", "id", "key",
    "language", "last", "level", "location", "manager", "month", "name", "number", "office",
    "old", "percent", "phone", "position", "price", "quantity", "rank", "rate", "rating", "salary",
    "score", "size", "start", "state", "status", "time", "title", "total", "type", "value", "year",
];

/// Groups of words that mean the same in most databases; each is a stem or a phrase of stems'
/// full words. A word may be in several groups.
pub const SYNONYMS: &[&[&str]] = &[
    &["person", "individual", "human"],
    &["employee", "staff", "worker"],
    &["customer", "client", "buyer"],
    &["country", "nation"],
    &["state", "province"],
    &["city", "town"],
    &["location", "place", "venue", "site"],
    &["cost", "price", "fee"],
    &["amount", "sum"],
    &["salary", "wage", "pay", "earnings"],
    &["gender", "sex"],
    &["movie", "film"],
    &["car", "automobile", "vehicle"],
    &["shop", "store"],
    &["company", "firm", "business", "enterprise"],
    &["organization", "organisation", "institution"],
    &["phone", "telephone", "cell", "mobile"],
    &["email", "mail"],
    &["zip", "postal", "postcode"],
    &["birthday", "birth date", "date of birth", "birth", "born"],
    &["surname", "last name", "family name"],
    &["forename", "first name", "given name"],
    &["kind", "type", "category"],
    &["title", "name"],
    &["description", "detail"],
    &["identifier", "id"],
    &["teacher", "instructor", "professor", "lecturer"],
    &["student", "pupil"],
    &["class", "course"],
    &["doctor", "physician"],
    &["airplane", "plane", "aircraft"],
    &["author", "writer"],
    &["song", "track"],
    &["album", "record"],
    &["language", "tongue"],
    &["population", "inhabitant", "resident", "citizen"],
    &["area", "surface", "size"],
    &["height", "tall"],
    &["length", "duration"],
    &["weight", "weigh", "heavy"],
    &["score", "point", "mark"],
    &["rank", "ranking"],
    &["year", "yr"],
    &["order", "purchase"],
    &["product", "item", "article"],
    &["quantity", "number"],
    &["team", "squad"],
    &["match", "game"],
    &["airport", "airfield"],
    &["road", "street"],
    &["revenue", "income", "sales", "turnover"],
    &["profit", "gain"],
    &["house", "home"],
    &["hospital", "clinic"],
    &["nationality", "citizenship"],
    &["hometown", "home town"],
    &["abbreviation", "short name"],
    &["begin", "start"],
    &["finish", "end"],
    &["create", "found", "establish"],
    &["lot", "parcel"],
    &["leave", "depart", "departure"],
    &["arrive", "arrival"],
    &["enroll", "enrolment", "enrollment", "register", "registration"],
    &["treat", "treatment"],
    &["head", "leader", "chief"],
    &["boss", "manager", "supervisor"],
    &["picture", "photo", "image"],
    &["comment", "remark", "note"],
    &["manufacturer", "maker"],
];

/// Adjectives of place and the names that they come from.
pub const DEMONYMS: &[(&str, &[&str])] = &[
    ("african", &["africa"]),
    ("american", &["united states", "usa", "us", "america", "united states of america"]),
    ("argentine", &["argentina"]),
    ("asian", &["asia"]),
    ("australian", &["australia"]),
    ("austrian", &["austria"]),
    ("belgian", &["belgium"]),
    ("brazilian", &["brazil"]),
    ("british", &["united kingdom", "uk", "britain", "great britain"]),
    ("canadian", &["canada"]),
    ("chinese", &["china"]),
    ("danish", &["denmark"]),
    ("dutch", &["netherlands"]),
    ("egyptian", &["egypt"]),
    ("european", &["europe"]),
    ("finnish", &["finland"]),
    ("french", &["france"]),
    ("german", &["germany"]),
    ("greek", &["greece"]),
    ("hungarian", &["hungary"]),
    ("indian", &["india"]),
    ("irish", &["ireland"]),
    ("israeli", &["israel"]),
    ("italian", &["italy"]),
    ("japanese", &["japan"]),
    ("korean", &["korea", "south korea"]),
    ("mexican", &["mexico"]),
    ("norwegian", &["norway"]),
    ("polish", &["poland"]),
    ("portuguese", &["portugal"]),
    ("russian", &["russia", "russian federation"]),
    ("scottish", &["scotland"]),
    ("spanish", &["spain"]),
    ("swedish", &["sweden"]),
    ("swiss", &["switzerland"]),
    ("turkish", &["turkey"]),
    ("usa", &["united states", "united states of america", "us"]),
    ("welsh", &["wales"]),
];

/// Words and the codes that stand for them in columns whose name holds one of the listed words.
pub const CODES: &[(&[&str], &[&str], &[&str])] = &[
    (&["female", "females", "woman", "women", "girl", "girls"], &["f", "female"], &["sex", "gender"]),
    (&["male", "males", "man", "men", "boy", "boys"], &["m", "male"], &["sex", "gender"]),
];

/// Words that carry no meaning for the choice of tables, columns and values.
pub const FILLER: &[&str] = &[
    "a", "about", "above", "according", "across", "after", "ago", "all", "along", "also", "am",
    "among", "an", "and", "any", "are", "as", "at", "available", "be", "been", "before", "being",
    "belong", "below", "between", "both", "but", "by", "can", "contain", "containing", "contains",
    "correspond", "corresponding", "could", "did", "different", "display", "distinct", "do",
    "does", "doing", "done", "each", "either", "entire", "ever", "every", "exactly", "except",
    "existing", "find", "first", "following", "for", "from", "full", "get", "give", "given", "had", "has",
    "have", "having", "he", "her", "here", "him", "his", "how", "i", "if", "in", "include",
    "included", "including", "into", "is", "it", "its", "itself", "just", "know", "last", "least",
    "less", "list", "many", "me", "more", "most", "much", "my", "need", "never", "no", "not", "of",
    "off", "on", "one", "ones", "only", "or", "order", "ordered", "other", "our", "out", "over",
    "own", "owned", "per", "please", "present", "provide", "record", "recorded", "records",
    "respective", "respectively", "return", "same", "say", "see", "select", "she", "should",
    "show", "so", "some", "sort", "sorted", "such", "tell", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "to", "together", "total", "under",
    "unique", "up", "us", "use", "used", "using", "value", "values", "via", "want", "was", "we",
    "well", "were", "what", "when", "where", "whether", "which", "who", "whom", "whose", "why",
    "will", "with", "within", "without", "would", "you", "your",
];

/// Tells whether a lower-case word is filler.
pub fn is_filler(word: &str) -> bool {
    FILLER.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filler_is_sorted_for_binary_search() {
        assert!(FILLER.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn abbreviations_are_one_word_each() {
        assert!(ABBREVIATIONS.iter().all(|(short, _)| !short.contains(' ')));
    }
}
