//! The words that steer a question: counting, comparing, ordering, negating; general English only.

use crate::domain::plan::{Aggregate, Comparison};
use crate::search::{Token, TokenKind};

/// What an adjective measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quality {
    /// Nothing by itself: high, low, large, more.
    Any,
    /// Years of life, or the date of birth turned round.
    Age,
    /// A point in time.
    Time,
    /// Money.
    Money,
    /// From end to end, or how long something lasts.
    Length,
    /// From foot to top.
    Height,
    /// Heaviness.
    Weight,
    /// Inhabitants.
    People,
    /// Speed.
    Speed,
}

impl Quality {
    /// Stems of column words that measure it, best first.
    pub(super) fn words(self) -> &'static [&'static str] {
        match self {
            Quality::Any => &[],
            Quality::Age => &["age"],
            Quality::Time => &["date", "year", "time", "day", "month"],
            Quality::Money => &["price", "cost", "fee", "amount"],
            Quality::Length => &["length", "durat", "distanc"],
            Quality::Height => &["height"],
            Quality::Weight => &["weight"],
            Quality::People => &["popul"],
            Quality::Speed => &["speed", "veloc"],
        }
    }
}

/// What a steering word does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cue {
    /// Opens an order or question: show, list, what is.
    Lead,
    /// Asks for one of several: which.
    Which,
    /// Asks for a person, by name.
    Who,
    /// Counts what follows.
    Count,
    /// Aggregates what follows.
    Aggregate(Aggregate),
    /// The extreme of a count, or of a number: most, fewest.
    Most(bool),
    /// The extreme of a column: true for the largest.
    Extreme(bool, Quality),
    /// The most or least frequent.
    Common(bool),
    /// Compares with what follows.
    Compare(Comparison, Quality),
    /// Compares with the number before: or more.
    After(Comparison),
    /// Between two numbers.
    Between,
    /// Groups by what follows.
    Each,
    /// Orders by what follows.
    Order,
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
    /// By the alphabet.
    Alphabetical,
    /// Not.
    Not,
    /// None of what follows.
    No,
    /// All but what follows.
    Except,
    /// Each once.
    Distinct,
    /// Both of two.
    Both,
    /// One of two.
    Either,
    /// Joins equals.
    And,
    /// Either side.
    Or,
    /// A comma.
    Comma,
    /// Binds a part to its owner.
    Of,
    /// In, from, at, on, by, to, during.
    In,
    /// For.
    For,
    /// By.
    By,
    /// Opens a condition: with.
    With,
    /// Opens a condition on a column: whose.
    Whose,
    /// Opens a condition: who, that, which.
    That,
    /// Is, equals, named.
    Is,
    /// Has, have.
    Have,
    /// All columns.
    Everything,
    /// A substring.
    Contains,
    /// A prefix.
    Starts,
    /// A suffix.
    Ends,
    /// The first N of an order.
    Top(bool),
    /// Not known, NULL.
    Unknown,
    /// Their, its: back to the owner.
    Their,
    /// Ends a sentence.
    Stop,
    /// Nothing by itself.
    Filler,
}

use Aggregate::{Avg, Max, Min, Sum};
use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
use Quality::{Age, Any, Height, Length, Money, People, Speed, Time, Weight};

/// Phrases and what they do; the longest that fits counts.
const PHRASES: &[(&str, Cue)] = &[
    ("how many", Cue::Count),
    ("number of", Cue::Count),
    ("numbers of", Cue::Count),
    ("total number of", Cue::Count),
    ("total count of", Cue::Count),
    ("amount of", Cue::Count),
    ("count the number of", Cue::Count),
    ("count of", Cue::Count),
    ("count", Cue::Count),
    ("what is", Cue::Lead),
    ("what are", Cue::Lead),
    ("what was", Cue::Lead),
    ("what were", Cue::Lead),
    ("who are", Cue::Who),
    ("who is", Cue::Who),
    ("who was", Cue::Who),
    ("which", Cue::Which),
    ("what", Cue::Which),
    ("average", Cue::Aggregate(Avg)),
    ("averages", Cue::Aggregate(Avg)),
    ("mean", Cue::Aggregate(Avg)),
    ("total", Cue::Aggregate(Sum)),
    ("total amount of", Cue::Aggregate(Sum)),
    ("sum", Cue::Aggregate(Sum)),
    ("sum of", Cue::Aggregate(Sum)),
    ("combined", Cue::Aggregate(Sum)),
    ("maximum", Cue::Aggregate(Max)),
    ("max", Cue::Aggregate(Max)),
    ("maximal", Cue::Aggregate(Max)),
    ("minimum", Cue::Aggregate(Min)),
    ("min", Cue::Aggregate(Min)),
    ("minimal", Cue::Aggregate(Min)),
    ("most", Cue::Most(true)),
    ("the most", Cue::Most(true)),
    ("most number of", Cue::Most(true)),
    ("greatest number of", Cue::Most(true)),
    ("largest number of", Cue::Most(true)),
    ("highest number of", Cue::Most(true)),
    ("biggest number of", Cue::Most(true)),
    ("maximum number of", Cue::Most(true)),
    ("largest amount of", Cue::Most(true)),
    ("greatest amount of", Cue::Most(true)),
    ("the largest number", Cue::Most(true)),
    ("fewest", Cue::Most(false)),
    ("fewest number of", Cue::Most(false)),
    ("least", Cue::Most(false)),
    ("the least", Cue::Most(false)),
    ("least number of", Cue::Most(false)),
    ("smallest number of", Cue::Most(false)),
    ("lowest number of", Cue::Most(false)),
    ("minimum number of", Cue::Most(false)),
    ("highest", Cue::Extreme(true, Any)),
    ("largest", Cue::Extreme(true, Any)),
    ("biggest", Cue::Extreme(true, Any)),
    ("greatest", Cue::Extreme(true, Any)),
    ("best", Cue::Extreme(true, Any)),
    ("lowest", Cue::Extreme(false, Any)),
    ("smallest", Cue::Extreme(false, Any)),
    ("worst", Cue::Extreme(false, Any)),
    ("oldest", Cue::Extreme(true, Age)),
    ("eldest", Cue::Extreme(true, Age)),
    ("youngest", Cue::Extreme(false, Age)),
    ("longest", Cue::Extreme(true, Length)),
    ("shortest", Cue::Extreme(false, Length)),
    ("tallest", Cue::Extreme(true, Height)),
    ("heaviest", Cue::Extreme(true, Weight)),
    ("lightest", Cue::Extreme(false, Weight)),
    ("latest", Cue::Extreme(true, Time)),
    ("newest", Cue::Extreme(true, Time)),
    ("most recent", Cue::Extreme(true, Time)),
    ("most recently", Cue::Extreme(true, Time)),
    ("earliest", Cue::Extreme(false, Time)),
    ("least recent", Cue::Extreme(false, Time)),
    ("most expensive", Cue::Extreme(true, Money)),
    ("least expensive", Cue::Extreme(false, Money)),
    ("cheapest", Cue::Extreme(false, Money)),
    ("priciest", Cue::Extreme(true, Money)),
    ("most populous", Cue::Extreme(true, People)),
    ("most populated", Cue::Extreme(true, People)),
    ("least populated", Cue::Extreme(false, People)),
    ("fastest", Cue::Extreme(true, Speed)),
    ("slowest", Cue::Extreme(false, Speed)),
    ("most common", Cue::Common(true)),
    ("most commonly used", Cue::Common(true)),
    ("most popular", Cue::Common(true)),
    ("most frequent", Cue::Common(true)),
    ("most frequently used", Cue::Common(true)),
    ("most used", Cue::Common(true)),
    ("least common", Cue::Common(false)),
    ("least popular", Cue::Common(false)),
    ("least frequent", Cue::Common(false)),
    ("rarest", Cue::Common(false)),
    ("more than", Cue::Compare(Greater, Any)),
    ("greater than", Cue::Compare(Greater, Any)),
    ("larger than", Cue::Compare(Greater, Any)),
    ("higher than", Cue::Compare(Greater, Any)),
    ("bigger than", Cue::Compare(Greater, Any)),
    ("over", Cue::Compare(Greater, Any)),
    ("above", Cue::Compare(Greater, Any)),
    ("exceeding", Cue::Compare(Greater, Any)),
    ("exceeds", Cue::Compare(Greater, Any)),
    ("less than", Cue::Compare(Less, Any)),
    ("fewer than", Cue::Compare(Less, Any)),
    ("smaller than", Cue::Compare(Less, Any)),
    ("lower than", Cue::Compare(Less, Any)),
    ("under", Cue::Compare(Less, Any)),
    ("below", Cue::Compare(Less, Any)),
    ("at least", Cue::Compare(GreaterEqual, Any)),
    ("no less than", Cue::Compare(GreaterEqual, Any)),
    ("no fewer than", Cue::Compare(GreaterEqual, Any)),
    ("not less than", Cue::Compare(GreaterEqual, Any)),
    ("greater than or equal to", Cue::Compare(GreaterEqual, Any)),
    ("more than or equal to", Cue::Compare(GreaterEqual, Any)),
    ("at most", Cue::Compare(LessEqual, Any)),
    ("no more than", Cue::Compare(LessEqual, Any)),
    ("not more than", Cue::Compare(LessEqual, Any)),
    ("up to", Cue::Compare(LessEqual, Any)),
    ("less than or equal to", Cue::Compare(LessEqual, Any)),
    ("exactly", Cue::Compare(Equal, Any)),
    ("equal to", Cue::Compare(Equal, Any)),
    ("not equal to", Cue::Compare(NotEqual, Any)),
    ("older than", Cue::Compare(Greater, Age)),
    ("younger than", Cue::Compare(Less, Age)),
    ("longer than", Cue::Compare(Greater, Length)),
    ("shorter than", Cue::Compare(Less, Length)),
    ("taller than", Cue::Compare(Greater, Height)),
    ("heavier than", Cue::Compare(Greater, Weight)),
    ("lighter than", Cue::Compare(Less, Weight)),
    ("faster than", Cue::Compare(Greater, Speed)),
    ("slower than", Cue::Compare(Less, Speed)),
    ("cheaper than", Cue::Compare(Less, Money)),
    ("more expensive than", Cue::Compare(Greater, Money)),
    ("after", Cue::Compare(Greater, Time)),
    ("later than", Cue::Compare(Greater, Time)),
    ("since", Cue::Compare(GreaterEqual, Time)),
    ("before", Cue::Compare(Less, Time)),
    ("earlier than", Cue::Compare(Less, Time)),
    ("prior to", Cue::Compare(Less, Time)),
    ("or more", Cue::After(GreaterEqual)),
    ("or higher", Cue::After(GreaterEqual)),
    ("or above", Cue::After(GreaterEqual)),
    ("or over", Cue::After(GreaterEqual)),
    ("or older", Cue::After(GreaterEqual)),
    ("or greater", Cue::After(GreaterEqual)),
    ("or larger", Cue::After(GreaterEqual)),
    ("or later", Cue::After(GreaterEqual)),
    ("or after", Cue::After(GreaterEqual)),
    ("or less", Cue::After(LessEqual)),
    ("or fewer", Cue::After(LessEqual)),
    ("or lower", Cue::After(LessEqual)),
    ("or below", Cue::After(LessEqual)),
    ("or under", Cue::After(LessEqual)),
    ("or younger", Cue::After(LessEqual)),
    ("or earlier", Cue::After(LessEqual)),
    ("or before", Cue::After(LessEqual)),
    ("between", Cue::Between),
    ("ranging from", Cue::Between),
    ("each", Cue::Each),
    ("for each", Cue::Each),
    ("for every", Cue::Each),
    ("every", Cue::Each),
    ("per", Cue::Each),
    ("grouped by", Cue::Each),
    ("group by", Cue::Each),
    ("for all", Cue::For),
    ("ordered by", Cue::Order),
    ("order by", Cue::Order),
    ("sorted by", Cue::Order),
    ("sort by", Cue::Order),
    ("sorted", Cue::Order),
    ("sort", Cue::Order),
    ("order", Cue::Order),
    ("ordered", Cue::Order),
    ("ranked by", Cue::Order),
    ("arranged by", Cue::Order),
    ("in order of", Cue::Order),
    ("in the order of", Cue::Order),
    ("in ascending order", Cue::Ascending),
    ("in an ascending order", Cue::Ascending),
    ("in increasing order", Cue::Ascending),
    ("ascending order", Cue::Ascending),
    ("ascending", Cue::Ascending),
    ("increasing order", Cue::Ascending),
    ("from low to high", Cue::Ascending),
    ("from lowest to highest", Cue::Ascending),
    ("from smallest to largest", Cue::Ascending),
    ("from least to greatest", Cue::Ascending),
    ("from youngest to oldest", Cue::Ascending),
    ("from young to old", Cue::Ascending),
    ("from the youngest to the oldest", Cue::Ascending),
    ("from earliest to latest", Cue::Ascending),
    ("in descending order", Cue::Descending),
    ("in a descending order", Cue::Descending),
    ("in decreasing order", Cue::Descending),
    ("descending order", Cue::Descending),
    ("decreasing order", Cue::Descending),
    ("descending", Cue::Descending),
    ("from high to low", Cue::Descending),
    ("from highest to lowest", Cue::Descending),
    ("from largest to smallest", Cue::Descending),
    ("from greatest to least", Cue::Descending),
    ("from oldest to youngest", Cue::Descending),
    ("from old to young", Cue::Descending),
    ("from the oldest to the youngest", Cue::Descending),
    ("from most recent to oldest", Cue::Descending),
    ("from latest to earliest", Cue::Descending),
    ("in reverse alphabetical order", Cue::Descending),
    ("reverse alphabetical order", Cue::Descending),
    ("in alphabetical order", Cue::Alphabetical),
    ("alphabetical order", Cue::Alphabetical),
    ("alphabetically", Cue::Alphabetical),
    ("in lexicographical order", Cue::Alphabetical),
    ("in lexicographic order", Cue::Alphabetical),
    ("alphabetic order", Cue::Alphabetical),
    ("not", Cue::Not),
    ("never", Cue::Not),
    ("no", Cue::No),
    ("without", Cue::No),
    ("without any", Cue::No),
    ("not have any", Cue::No),
    ("not have", Cue::No),
    ("not have a", Cue::No),
    ("lack", Cue::No),
    ("except", Cue::Except),
    ("except for", Cue::Except),
    ("excluding", Cue::Except),
    ("other than", Cue::Except),
    ("besides", Cue::Except),
    ("different from", Cue::Except),
    ("distinct", Cue::Distinct),
    ("different", Cue::Distinct),
    ("unique", Cue::Distinct),
    ("both", Cue::Both),
    ("either", Cue::Either),
    ("and", Cue::And),
    ("as well as", Cue::And),
    ("along with", Cue::And),
    ("together with", Cue::And),
    ("and also", Cue::And),
    ("also", Cue::Filler),
    ("but", Cue::And),
    ("but also", Cue::And),
    ("or", Cue::Or),
    (",", Cue::Comma),
    ("of", Cue::Of),
    ("in", Cue::In),
    ("from", Cue::In),
    ("at", Cue::In),
    ("on", Cue::In),
    ("to", Cue::In),
    ("within", Cue::In),
    ("during", Cue::In),
    ("into", Cue::In),
    ("by", Cue::By),
    ("for", Cue::For),
    ("about", Cue::For),
    ("with", Cue::With),
    ("whose", Cue::Whose),
    ("who", Cue::That),
    ("that", Cue::That),
    ("where", Cue::That),
    ("whom", Cue::That),
    ("when", Cue::That),
    ("is", Cue::Is),
    ("are", Cue::Is),
    ("was", Cue::Is),
    ("were", Cue::Is),
    ("be", Cue::Is),
    ("been", Cue::Is),
    ("being", Cue::Is),
    ("equals", Cue::Is),
    ("equal", Cue::Is),
    ("=", Cue::Is),
    ("named", Cue::Is),
    ("called", Cue::Is),
    ("titled", Cue::Is),
    ("as", Cue::Is),
    ("has", Cue::Have),
    ("have", Cue::Have),
    ("had", Cue::Have),
    ("having", Cue::Have),
    ("all information", Cue::Everything),
    ("all the information", Cue::Everything),
    ("all info", Cue::Everything),
    ("all details", Cue::Everything),
    ("all the details", Cue::Everything),
    ("all columns", Cue::Everything),
    ("all fields", Cue::Everything),
    ("all data", Cue::Everything),
    ("everything", Cue::Everything),
    ("containing", Cue::Contains),
    ("contains", Cue::Contains),
    ("contain", Cue::Contains),
    ("contains the word", Cue::Contains),
    ("contain the word", Cue::Contains),
    ("containing the word", Cue::Contains),
    ("includes the word", Cue::Contains),
    ("include the word", Cue::Contains),
    ("has the word", Cue::Contains),
    ("have the word", Cue::Contains),
    ("with the word", Cue::Contains),
    ("the substring", Cue::Contains),
    ("contains the substring", Cue::Contains),
    ("contain the substring", Cue::Contains),
    ("has the substring", Cue::Contains),
    ("starts with", Cue::Starts),
    ("start with", Cue::Starts),
    ("starting with", Cue::Starts),
    ("begins with", Cue::Starts),
    ("begin with", Cue::Starts),
    ("beginning with", Cue::Starts),
    ("starts with the letter", Cue::Starts),
    ("start with the letter", Cue::Starts),
    ("ends with", Cue::Ends),
    ("end with", Cue::Ends),
    ("ending with", Cue::Ends),
    ("ending in", Cue::Ends),
    ("top", Cue::Top(true)),
    ("bottom", Cue::Top(false)),
    ("unknown", Cue::Unknown),
    ("missing", Cue::Unknown),
    ("null", Cue::Unknown),
    ("not known", Cue::Unknown),
    ("not specified", Cue::Unknown),
    ("their", Cue::Their),
    ("its", Cue::Their),
    ("his", Cue::Their),
    ("her", Cue::Their),
    (".", Cue::Stop),
    ("?", Cue::Stop),
    ("!", Cue::Stop),
    (";", Cue::Stop),
];

/// Words that open an order: each alone, and followed by "me", "out", "us".
const LEADS: &[&str] = &[
    "show", "list", "find", "give", "return", "tell", "display", "get", "report", "select", "see",
    "compute", "calculate", "present", "provide", "retrieve", "fetch", "output", "print", "name",
];

/// Words that say nothing by themselves.
const FILLERS: &[&str] = &[
    "a", "all", "an", "any", "available", "can", "could", "do", "does", "did", "exist", "existing",
    "ever", "i", "it", "me", "of", "ones", "one", "please", "some", "that", "the", "there", "these",
    "they", "those", "this", "us", "we", "you", "out", "up", "listed", "recorded", "total", "list",
    "respectively", "respective", "corresponding", "following", "given", "database", "overall",
    "together", "across", "among", "amongst", "altogether", "currently", "only", "own", "owned",
    "want", "know", "would", "like", "how", "if", "so", "then", "also", "each", "same", "such",
    "associated", "corresponds", "correspond", "belonging", "belong", "belongs", "located", "using",
    "used", "use", "uses", "made", "make", "makes", "them", "he", "she", "i'd", "id like", "ordered",
    "result", "results", "record", "records", "occur", "occurred", "which", "whether", "just", "in",
    "much", "many", "than", "did", "done", "include", "including", "value", "values", "live",
    "lives", "living", "based", "held", "hold", "holds", "come", "comes", "kind", "come", "get",
    "gets", "got", "appear", "appears", "involved", "related", "assigned", "registered", "found",
    "received", "receive", "work", "works", "working", "worked", "played", "play", "plays",
    "participated", "participate", "took", "take", "takes", "taken", "part", "produced", "produce",
    "written", "wrote", "offered", "offer", "offers", "provided", "happened", "happen", "issued",
    "obtained", "obtain", "enrolled", "attended", "attend", "went", "go", "goes", "run", "runs",
    "spoken", "speak", "speaks", "taught", "teach", "teaches", "won", "win", "wins", "served",
    "serve", "serves", "visited", "visit", "bought", "buy", "purchased", "sold", "sell", "sells",
    "world", "around", "hired", "directed", "released", "performed", "perform", "raised", "stored",
    "containing", "person", "people", "sent", "owns", "type", "information", "details", "detail",
];

/// Finds the longest steering phrase at the start of some tokens: how many tokens, and the cue.
pub(super) fn cue_at(tokens: &[Token], longest: usize) -> Option<(usize, Cue)> {
    let first = tokens.first().filter(|t| t.kind != TokenKind::Quoted)?;
    let mut best: Option<(usize, Cue)> = None;
    for (phrase, cue) in PHRASES.iter().filter(|(phrase, _)| phrase.starts_with(&first.lower)) {
        let mut length = 0;
        let fits = phrase.split(' ').all(|word| {
            let same = tokens.get(length).is_some_and(|t| t.lower == word && t.kind != TokenKind::Quoted);
            length += 1;
            same
        });
        if fits && length <= longest && best.is_none_or(|(n, _)| length > n) {
            best = Some((length, *cue));
        }
    }
    best
}

/// Tells whether a word opens an order.
pub(super) fn is_lead(word: &str) -> bool {
    LEADS.contains(&word)
}

/// Tells whether a word says nothing by itself.
pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}
