//! What one seed simulates. Every seed leaves some kinds of faults out, so that none hides another.

use askback_testkit::rng::Rng;
use jiff::SignedDuration;

/// Rates are in thousandths.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    /// The longest usual delay of a store call.
    pub(crate) store_delay_ms_max: usize,
    /// Calls that take seconds.
    pub(crate) stalls: usize,
    /// Reads that fail.
    pub(crate) read_faults: usize,
    /// Writes that fail with nothing written.
    pub(crate) write_faults: usize,
    /// Writes that are reported as unknown.
    pub(crate) unknown_writes: usize,
    /// Requests to models, runs of tools and deliveries that fail, hang or panic.
    pub(crate) port_faults: usize,
    /// Commits during which the process dies, before or after it takes effect.
    pub(crate) commit_crashes: usize,
    /// The mean time between two crashes; none without.
    pub(crate) crash_every_s: Option<usize>,
    /// The mean time between two changes of the wall clock; none without.
    pub(crate) clock_change_every_s: Option<usize>,
    /// The mean time between two outages of the store; none without.
    pub(crate) outage_every_s: Option<usize>,
    /// After which time ended conversations are deleted; none without.
    pub(crate) retention_s: Option<usize>,
    /// The mean time between two times in which no client begins anything; none without.
    pub(crate) quiet_every_s: Option<usize>,
    /// The records that a listener may fall behind.
    pub(crate) feed_records: usize,
    /// Requests that their client gives up before the reply.
    pub(crate) impatience: usize,
    /// The longest usual pause of a client between two actions.
    pub(crate) client_pause_ms_max: usize,
    pub(crate) askers: usize,
    pub(crate) respondents: usize,
    pub(crate) chat_users: usize,
    pub(crate) deleters: usize,
    /// People who write drafts and hide inquiries for a while.
    pub(crate) drafters: usize,
    /// Sessions that take over what ended ones have asked.
    pub(crate) successors: usize,
    pub(crate) long_pollers: usize,
    pub(crate) feed_readers: usize,
    /// Actions of each client.
    pub(crate) actions: usize,
    /// Hints of other processes that are lost.
    pub(crate) lost_hints: usize,
    /// By how much the clocks of processes differ.
    pub(crate) clock_skew: SignedDuration,
}

impl Profile {
    /// The profile of a seed.
    pub(crate) fn draw(rng: &mut Rng) -> Profile {
        let mut rate = |max: usize| if rng.one_in(3) { 0 } else { rng.within(1, max) };
        let (stalls, read_faults, write_faults) = (rate(15), rate(40), rate(60));
        let (unknown_writes, port_faults, impatience) = (rate(60), rate(400), rate(120));
        let commit_crashes = rate(20);
        let mut every = |min: usize, max: usize| {
            let is_left_out = rng.one_in(3);
            (!is_left_out).then(|| rng.within(min, max))
        };
        let crash_every_s = every(5, 120);
        let clock_change_every_s = every(5, 120);
        let outage_every_s = every(20, 200);
        let retention_s = every(1, 600);
        let quiet_every_s = every(10, 100);
        Profile {
            store_delay_ms_max: rng.pick(&[0, 1, 5, 50]),
            stalls,
            read_faults,
            write_faults,
            unknown_writes,
            port_faults,
            commit_crashes,
            crash_every_s,
            clock_change_every_s,
            outage_every_s,
            retention_s,
            quiet_every_s,
            feed_records: rng.pick(&[1, 4, 16, 4096]),
            impatience,
            client_pause_ms_max: rng.pick(&[2, 50, 2_000, 20_000]),
            askers: rng.within(1, 4),
            respondents: rng.within(1, 4),
            chat_users: rng.within(0, 3),
            deleters: rng.below(2),
            drafters: rng.below(3),
            successors: rng.below(2),
            long_pollers: rng.within(0, 3),
            feed_readers: rng.within(1, 3),
            actions: rng.within(4, 16),
            lost_hints: 0,
            clock_skew: SignedDuration::ZERO,
        }
    }

    /// What several engines on one database bring with them.
    pub(crate) fn draw_sharing(&mut self, rng: &mut Rng) {
        self.lost_hints = rng.pick(&[0, 50, 300, 900]);
        if rng.one_in(3) {
            self.clock_skew = SignedDuration::from_mins(1);
        }
    }
}
