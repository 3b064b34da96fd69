//! A network namespace that several commands share, and a socket that listens in it and is served outside.

use super::child::{UserMap, loopback};
use super::namespaces::{Namespaces, NetworkNamespace};
use super::sys;
use crate::uninterrupted::openat;
use nix::libc;
use nix::sched::{CloneFlags, unshare};
use rustix::fs::{CWD, Mode, OFlags};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, SocketFlags, SocketType, bind, listen, recvmsg, sendmsg, socket_with, socketpair,
};
use std::convert::Infallible;
use std::io;
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// A way into a network namespace: a socket that listens on its loopback.
#[derive(Debug)]
pub struct Door {
    /// The namespace.
    pub namespace: Arc<NetworkNamespace>,
    /// The socket.
    pub listener: TcpListener,
    /// Its port.
    pub port: u16,
}

/// What a child says that has come to its end: no program is started.
const DONE: i32 = libc::ECANCELED;
/// Connections that wait to be accepted.
const WAITING: i32 = 128;

impl Door {
    /// Opens one in a namespace that is there, or in a new one.
    ///
    /// # Errors
    /// The system makes no such namespace, or lets nobody into it.
    pub fn open(namespaces: Namespaces, join: Option<&NetworkNamespace>) -> io::Result<Self> {
        let users = UserMap::of_caller(namespaces);
        let own_users = namespaces == Namespaces::User;
        let (here, there) = socketpair(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
        let mut child = || make(&users, own_users, join, there.as_fd());
        match sys::vfork(&mut child, None, false) {
            Ok(_) => return Err(io::Error::other("making a network has started a program")),
            Err(error) if error.raw_os_error() == Some(DONE) => {}
            Err(error) => return Err(error),
        }
        let mut sent = receive(here.as_fd())?.into_iter();
        let (Some(listener), Some(network)) = (sent.next(), sent.next()) else {
            return Err(io::Error::other("the descriptors of a network did not come"));
        };
        let listener = TcpListener::from(listener);
        Ok(Self {
            port: listener.local_addr()?.port(),
            listener,
            namespace: Arc::new(NetworkNamespace {
                users: sent.next(),
                network,
            }),
        })
    }
}

/// The child's side: memory is shared with whoever waits for it, so that none is taken.
fn make(
    users: &UserMap,
    own_users: bool,
    join: Option<&NetworkNamespace>,
    to: BorrowedFd<'_>,
) -> io::Result<Infallible> {
    if let Some(namespace) = join {
        namespace.enter()?;
    } else {
        let mut flags = CloneFlags::CLONE_NEWNET;
        if own_users {
            flags |= CloneFlags::CLONE_NEWUSER;
        }
        unshare(flags)?;
        users.write()?;
        loopback()?;
    }
    let listener = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    bind(&listener, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0))?;
    listen(&listener, WAITING)?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let network = openat(CWD, c"/proc/self/ns/net", flags, Mode::empty())?;
    let own = openat(CWD, c"/proc/self/ns/user", flags, Mode::empty())?;
    let all = [listener.as_fd(), network.as_fd(), own.as_fd()];
    let sent = if own_users {
        &all[..]
    } else {
        all.get(..2).unwrap_or_default()
    };
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    if !message.push(SendAncillaryMessage::ScmRights(sent)) {
        return Err(io::Error::from_raw_os_error(libc::EMSGSIZE));
    }
    sendmsg(to, &[io::IoSlice::new(b"n")], &mut message, SendFlags::empty())?;
    Err(io::Error::from_raw_os_error(DONE))
}

fn receive(from: BorrowedFd<'_>) -> io::Result<Vec<OwnedFd>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    recvmsg(from, &mut [io::IoSliceMut::new(&mut byte)], &mut message, flags)?;
    let mut found = Vec::new();
    for part in message.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = part {
            found.extend(descriptors);
        }
    }
    Ok(found)
}
