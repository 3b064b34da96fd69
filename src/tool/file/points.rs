//! Named moments inside a change, at which a test may interfere.

use std::cell::RefCell;

type Hook = Box<dyn FnMut(&'static str)>;

thread_local! {
    static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
}

/// Called by the code under test.
pub(crate) fn reach(point: &'static str) {
    let hook = HOOK.with(|h| h.borrow_mut().take());
    if let Some(mut hook) = hook {
        hook(point);
        HOOK.with(|h| {
            h.borrow_mut().get_or_insert(hook);
        });
    }
}

/// Sets what happens at the points on this thread.
pub(crate) fn set(hook: impl FnMut(&'static str) + 'static) {
    HOOK.with(|h| *h.borrow_mut() = Some(Box::new(hook)));
}

/// Nothing happens any more.
pub(crate) fn clear() {
    HOOK.with(|h| *h.borrow_mut() = None);
}
