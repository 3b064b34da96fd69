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
    SendFlags, SocketFlags, SocketType, bind, connect, listen, recvmsg, sendmsg, socket_with, socketpair,
};
use std::convert::Infallible;
use std::io;
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddrV4, SocketAddrV6, TcpListener, TcpStream};
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
        done(sys::vfork(&mut child, None, false))?;
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

/// Connects to a port of the loopback of a namespace, from outside.
///
/// # Errors
/// Nothing listens there, or the system lets nobody in.
pub fn connect_inside(namespace: &NetworkNamespace, port: u16) -> io::Result<TcpStream> {
    let (here, there) = socketpair(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
    let mut child = || {
        namespace.enter()?;
        let four = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        // Not every system has the other protocol.
        match socket_with(AddressFamily::INET6, SocketType::STREAM, SocketFlags::CLOEXEC, None) {
            Ok(six) => send(there.as_fd(), &[four.as_fd(), six.as_fd()]),
            Err(_) => send(there.as_fd(), &[four.as_fd()]),
        }
    };
    done(sys::vfork(&mut child, None, false))?;
    let mut sent = receive(here.as_fd())?.into_iter();
    let Some(four) = sent.next() else {
        return Err(io::Error::other("the socket of a network did not come"));
    };
    let Err(error) = connect(&four, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)) else {
        return Ok(four.into());
    };
    // Some servers listen on the other loopback alone.
    match sent.next() {
        Some(six) if connect(&six, &SocketAddrV6::new(Ipv6Addr::LOCALHOST, port, 0, 0)).is_ok() => Ok(six.into()),
        _ => Err(error.into()),
    }
}

/// The end of a child that starts no program.
fn done(ended: io::Result<rustix::process::Pid>) -> io::Result<()> {
    match ended {
        Ok(_) => Err(io::Error::other("making a network has started a program")),
        Err(error) if error.raw_os_error() == Some(DONE) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Hands descriptors to who waits for this child, and ends it.
fn send(to: BorrowedFd<'_>, descriptors: &[BorrowedFd<'_>]) -> io::Result<Infallible> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    if !message.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::from_raw_os_error(libc::EMSGSIZE));
    }
    sendmsg(to, &[io::IoSlice::new(b"n")], &mut message, SendFlags::empty())?;
    Err(io::Error::from_raw_os_error(DONE))
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
    send(to, sent)
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
