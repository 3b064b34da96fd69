//! The hosts of a caller: where its commands can run. Each is made when it is first asked for.

use super::Engine;
use crate::host::{Host, Local};
use crate::machine::World;
use crate::model::Host as HostKind;
use crate::world::LiveWorld;
use std::cell::OnceCell;
use std::io;
use std::rc::Rc;

/// Those that were asked for. A new host is a field here, and an arm in [`Engine::host`].
#[derive(Debug, Default)]
pub(super) struct Hosts {
    local: OnceCell<Local>,
}

impl Hosts {
    /// Forgets what was seen of their files.
    pub(super) fn forget(&self) {
        if let Some(local) = self.local.get() {
            local.live().forget();
        }
    }
}

impl Engine<'_> {
    /// The host of a kind; none where nothing here reaches one.
    pub(super) fn host(&self, kind: HostKind) -> io::Result<Option<&dyn Host>> {
        match kind {
            // The sandbox is this machine behind walls.
            HostKind::Gateway | HostKind::Sandbox => self.local().map(|local| Some(local as &dyn Host)),
            HostKind::Auto | HostKind::Node => Ok(None),
        }
    }

    /// The files and programs of a host, as judging sees them.
    pub(super) fn world(&self, kind: HostKind) -> io::Result<&dyn World> {
        let unreached = || io::Error::other(format!("nothing here reaches a host `{}`", kind.as_str()));
        self.host(kind)?.map(Host::world).ok_or_else(unreached)
    }

    /// This machine as a host.
    pub(super) fn local(&self) -> io::Result<&Local> {
        let root = self.root()?;
        let local = || {
            let world = LiveWorld::new(root.clone(), self.caller.own.as_deref());
            Local::new(world, Rc::clone(self.floor()))
        };
        Ok(self.hosts.local.get_or_init(local))
    }
}
