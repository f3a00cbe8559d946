//! What intake alone makes of questions: which it declines or asks back, no model asked.

use std::collections::BTreeMap;

use querent::database::{OpenOptions, open};
use querent::domain::{Facts, Intent, Question as Asked};
use querent::intake;
use querent::search::Index;

use super::gold::Set;

/// Counts over a set.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    questions: usize,
    declined: usize,
    /// Questions with the verdict that is not the right one, in words.
    pub(crate) odd: Vec<String>,
}

impl Verdicts {
    pub(crate) fn row(&self, name: &str) -> String {
        let share = 100.0 * self.declined as f64 / self.questions.max(1) as f64;
        format!("| {name} | {} | {} | {share:.1} % |", self.questions, self.declined)
    }
}

/// Asks intake about a set; of one that can't be answered only questions off the subject count.
pub(crate) async fn of(set: &Set, off: bool, every: usize) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let mut known: BTreeMap<&str, (Facts, Index)> = BTreeMap::new();
    let on_subject = |category: &str| category == "cat_c";
    for question in set.questions.iter().filter(|q| !on_subject(&q.category)).step_by(every) {
        if !known.contains_key(question.db.as_str()) {
            let file = set.files.get(&question.db).unwrap().display().to_string();
            let database = open(&file, &OpenOptions::default()).await.unwrap();
            let catalog = database.catalog(false).await.unwrap();
            let values = database.values().await.unwrap();
            let facts = Facts { catalog, values, ..Facts::default() };
            let index = Index::new(&facts.catalog, &facts.values, &facts.knowledge);
            known.insert(&question.db, (facts, index));
        }
        let (facts, index) = known.get(question.db.as_str()).unwrap();
        let asked = Asked { text: question.text.clone(), ..Asked::default() };
        let understood = intake::understand_with(&asked, facts, index);
        let declined = understood.intent != Intent::Read || understood.ambiguity.is_some();
        verdicts.questions += 1;
        verdicts.declined += usize::from(declined);
        if declined != off {
            verdicts.odd.push(format!(
                "{} {} {:?} {:.2} {:?}: {}",
                question.id,
                question.db,
                understood.intent,
                understood.related.explained,
                understood.related.unexplained,
                question.text
            ));
        }
    }
    verdicts
}
