//! Pages that a session fetched a short time ago: they are not asked for again. The rules in force and the address must be
//! the same; a page that cannot be kept is fetched anew the next time.

use super::Engine;
use crate::state::{StateFault, Store, file_stem};
use crate::text::hex;
use crate::tool::web_fetch::{WebFetch, is_page, present, retrieve};
use crate::tool::{ToolError, ToolResult};
use crate::web::{Fetched, Page, Target};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The directory of kept pages in the state directory.
const ROOM: &str = "pages";
/// Pages of a session; then it begins anew.
const MOST: usize = 50;
/// Bytes of a kept page.
const MOST_BYTES: u64 = 64 << 20;

#[derive(Serialize, Deserialize)]
struct Kept {
    at_ms: u64,
    from: String,
    status: u16,
    content_type: String,
    title: Option<String>,
    text: Option<String>,
    bytes: usize,
    cut: bool,
}

impl Engine<'_> {
    /// Fetches a page, or takes the one that this session fetched a short time ago.
    pub(super) fn fetch_page(&self, call: &WebFetch) -> Result<ToolResult, ToolError> {
        let place = self
            .session()
            .filter(|_| !call.keep.is_zero())
            .map(|session| (session, self.page_name(call)));
        if let Some((session, name)) = &place
            && let Ok(Some((fetched, age))) = self.kept_page(session, name, call.keep)
        {
            return present(call, &fetched, Some(age));
        }
        let fetched = retrieve(call, &|| self.interrupts.ended())?;
        if let Some((session, name)) = place.filter(|_| is_page(&fetched))
            && let Err(fault) = self.keep_page(&session, &name, &fetched)
        {
            self.note(format!("a fetched page was not kept: {fault}"));
        }
        present(call, &fetched, None)
    }

    /// Another policy, another address or another form is another page.
    fn page_name(&self, call: &WebFetch) -> String {
        let policy = self.config.policy_hash.as_str();
        let what = format!("{policy}\n{}\n{}", call.fetch.target, call.fetch.markdown);
        format!("{}.json", hex::encode(&Sha256::digest(what)))
    }

    fn kept_page(&self, session: &str, name: &str, keep: Duration) -> Result<Option<(Fetched, Duration)>, StateFault> {
        let Some(state) = Store::open(&self.caller.state_dir, self.caller.uid)? else {
            return Ok(None);
        };
        let room = state
            .existing_child(ROOM)?
            .map(|room| room.existing_child(&file_stem(session)));
        let Some(room) = room.transpose()?.flatten() else {
            return Ok(None);
        };
        let text = room.read(name, MOST_BYTES)?;
        let Some(kept) = text.and_then(|text| serde_json::from_slice::<Kept>(&text).ok()) else {
            return Ok(None);
        };
        let age = self
            .now_ms()
            .checked_sub(kept.at_ms)
            .map(Duration::from_millis)
            .filter(|age| *age < keep);
        let from = Target::parse(&kept.from).ok();
        Ok(age.zip(from).map(|(age, from)| {
            let page = Page {
                title: kept.title,
                text: kept.text,
            };
            let fetched = Fetched {
                from,
                status: kept.status,
                content_type: kept.content_type,
                page,
                bytes: kept.bytes,
                cut: kept.cut,
            };
            (fetched, age)
        }))
    }

    fn keep_page(&self, session: &str, name: &str, fetched: &Fetched) -> Result<(), StateFault> {
        let room = Store::create(&self.caller.state_dir, self.caller.uid)?
            .child(ROOM)?
            .child(&file_stem(session))?;
        let names = room.names()?;
        if names.len() >= MOST {
            for name in &names {
                room.remove(name)?;
            }
        }
        let kept = Kept {
            at_ms: self.now_ms(),
            from: fetched.from.to_string(),
            status: fetched.status,
            content_type: fetched.content_type.clone(),
            title: fetched.page.title.clone(),
            text: fetched.page.text.clone(),
            bytes: fetched.bytes,
            cut: fetched.cut,
        };
        room.replace(name, &serde_json::to_vec(&kept).unwrap_or_default(), self.durability())
    }
}
