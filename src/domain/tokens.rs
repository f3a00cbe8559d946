//! Token counts: our estimate before a call, and how far a model's own counts are from it.

use super::attempt::Call;

/// Estimates the tokens of a text: UTF-8 bytes / 3.6, rounded up.
///
/// Source: measured on SQL text against a byte-pair tokenizer. Wherever it is shown it is marked
/// with `~`; providers' own counts stand beside it after a call.
pub fn tokens(text: &str) -> u32 {
    tokens_of(text.len())
}

/// Estimates the tokens of so many UTF-8 bytes.
pub fn tokens_of(bytes: usize) -> u32 {
    let tenths = bytes.saturating_mul(10).div_ceil(36);
    u32::try_from(tenths).unwrap_or(u32::MAX)
}

/// Estimates the tokens that a call sent: all of its messages.
pub fn sent(call: &Call) -> u64 {
    call.messages.iter().map(|(_, text)| u64::from(tokens(text))).sum()
}

/// How one model counts tokens, learned from calls whose provider said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Correction {
    /// Our estimate of what those calls sent.
    pub estimated: u64,
    /// The provider's count of the same.
    pub counted: u64,
    /// How many calls.
    pub calls: u64,
}

impl Correction {
    /// Learns how `model` counts from its calls; none when its provider counted none of them.
    ///
    /// No tokenizer is as far as five times from the estimate: such a count is of something else.
    pub fn of<'a>(model: &str, calls: impl IntoIterator<Item = &'a Call>) -> Option<Self> {
        let mut learned = Correction::default();
        for call in calls.into_iter().filter(|call| call.model == model) {
            let (estimated, counted) = (sent(call), call.usage.input_tokens);
            if counted > 0 && counted <= estimated * 5 && estimated <= counted * 5 {
                learned.estimated += estimated;
                learned.counted += counted;
                learned.calls += 1;
            }
        }
        (learned.estimated > 0).then_some(learned)
    }

    /// Corrects an estimate to what this model would count.
    pub fn apply(&self, estimate: u32) -> u32 {
        let exact = u128::from(estimate) * u128::from(self.counted);
        let rounded = (exact + u128::from(self.estimated) / 2) / u128::from(self.estimated.max(1));
        u32::try_from(rounded).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::super::attempt::Usage;
    use super::*;

    fn call(model: &str, sent: &[&str], input_tokens: u64) -> Call {
        let message = |text: &&str| ("user".to_owned(), (*text).to_owned());
        Call {
            model: model.to_owned(),
            request: String::new(),
            messages: sent.iter().map(message).collect(),
            reply: String::new(),
            usage: Usage { input_tokens, ..Usage::default() },
            elapsed_us: 0,
            cost: None,
        }
    }

    #[test]
    fn a_token_is_estimated_as_3_6_bytes() {
        assert_eq!([tokens(""), tokens("abc"), tokens("abcd")], [0, 1, 2]);
        assert_eq!(tokens(&"x".repeat(36)), 10);
        assert_eq!(tokens("é"), 1);
    }

    #[test]
    fn a_models_own_counts_correct_the_estimate_for_that_model_only() {
        let long = "x".repeat(360);
        let calls = [
            call("a:one", &[&long], 110),
            call("a:one", &[&long, &long], 230),
            call("a:one", &[&long], 0),
            call("b:two", &[&long], 500),
        ];
        let learned = Correction::of("a:one", &calls).expect("two calls were counted");
        assert_eq!(learned, Correction { estimated: 300, counted: 340, calls: 2 });
        // 1,246 × 340 / 300 = 1,412.1
        assert_eq!(learned.apply(1_246), 1_412);
        assert_eq!(Correction::of("c:three", &calls), None);
        assert_eq!(Correction::of("a:one", &calls[2..3]), None);
        let absurd = [call("a:one", &[&long], 501), call("a:one", &[&long], 19)];
        assert_eq!(Correction::of("a:one", &absurd), None);
    }
}
