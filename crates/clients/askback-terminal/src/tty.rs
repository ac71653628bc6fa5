//! The terminal device: opened, put into raw mode, and restored on every exit.
//!
//! The saved state is global, so that a panic hook can restore it too. Restoring twice does
//! nothing.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::ThreadId;

use rustix::io::ioctl_fionread;
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetwinsize, tcsetattr,
};

use crate::config::Mouse;
use crate::row::{ScreenBuffer, Size};

/// A terminal to read keys from and to paint on.
#[derive(Debug)]
pub struct Tty {
    pub(crate) input: File,
    pub(crate) output: File,
    mouse: Mouse,
}

/// Turns on bracketed paste, focus reports and the extended keyboard, and saves the title.
const ENTER: &[u8] = b"\x1b[?2004h\x1b[?1004h\x1b[>1u\x1b[22;2t";
/// The reverse; also ends a synchronised update, resets the colours and shows the cursor.
const LEAVE: &[u8] = b"\x1b[?2026l\x1b[23;2t\x1b[<1u\x1b[?1004l\x1b[?2004l\x1b[0m\x1b[?25h";

const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

struct Saved {
    termios: Termios,
    input: File,
    output: File,
    thread: ThreadId,
    mouse: Mouse,
}

static SAVED: Mutex<Option<Saved>> = Mutex::new(None);
/// Rows from the cursor to the end of the frame, plus 1; 0 without a frame.
static BELOW: AtomicUsize = AtomicUsize::new(0);
static SCREEN: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

impl Tty {
    /// Reads standard input and paints on standard error.
    #[expect(
        clippy::disallowed_methods,
        reason = "the device; rows and lines are printable"
    )]
    pub fn standard() -> io::Result<Tty> {
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let output = File::from(io::stderr().as_fd().try_clone_to_owned()?);
        Ok(Tty::of(input, output))
    }

    /// The controlling terminal, even if standard input and error are redirected.
    pub fn controlling() -> io::Result<Tty> {
        let input = File::options().read(true).write(true).open("/dev/tty")?;
        let output = input.try_clone()?;
        Ok(Tty::of(input, output))
    }

    pub(crate) fn of(input: File, output: File) -> Tty {
        let mouse = Mouse::Off;
        Tty {
            input,
            output,
            mouse,
        }
    }

    /// Sets whether clicks are reported.
    #[must_use]
    pub fn with_mouse(mut self, mouse: Mouse) -> Tty {
        self.mouse = mouse;
        self
    }

    /// The size; 80x24 if the terminal does not report one.
    pub fn size(&self) -> Size {
        let size = tcgetwinsize(&self.output).ok();
        let known = size.filter(|size| size.ws_col > 0 && size.ws_row > 0);
        known.map_or(Size::USUAL, |size| Size {
            columns: usize::from(size.ws_col),
            rows: usize::from(size.ws_row),
        })
    }

    /// Writes and flushes.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut output = &self.output;
        output.write_all(bytes)?;
        output.flush()
    }

    /// The bytes that can be read at once, none if the read was interrupted. `None` if the terminal was closed.
    pub(crate) fn read_available(&self) -> Option<Vec<u8>> {
        let mut bytes = [0; 4096];
        match (&self.input).read(&mut bytes) {
            Ok(0) => None,
            Ok(read) => Some(bytes[..read].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Some(Vec::new()),
            Err(_) => None,
        }
    }

    /// Discards input that was not read yet.
    pub(crate) fn discard_typed(&self) {
        // If the terminal was closed, the next read reports it.
        tcflush(&self.input, QueueSelector::IFlush).unwrap_or_default();
    }

    /// Enters raw mode and discards what was typed before.
    pub fn enter(&self) -> io::Result<RawModeGuard> {
        restore_on_panic();
        let termios = tcgetattr(&self.input)?;
        let mut raw = termios.clone();
        raw.make_raw();
        let saved = Saved {
            termios,
            input: self.input.try_clone()?,
            output: self.output.try_clone()?,
            thread: std::thread::current().id(),
            mouse: self.mouse,
        };
        *lock() = Some(saved);
        let mut entered = RawModeGuard {
            discarded_typed: false,
        };
        // In raw mode, an unfinished line can be counted, too.
        tcsetattr(&self.input, OptionalActions::Now, &raw)?;
        entered.discarded_typed = ioctl_fionread(&self.input).is_ok_and(|bytes| bytes > 0);
        self.discard_typed();
        self.write(ENTER)?;
        if self.mouse == Mouse::On {
            self.write(MOUSE_ON)?;
        }
        Ok(entered)
    }
}

/// Restores the terminal when it is dropped.
#[derive(Debug)]
pub struct RawModeGuard {
    /// Whether something was typed before raw mode, and discarded.
    pub(crate) discarded_typed: bool,
}

impl Drop for RawModeGuard {
    fn drop(&mut self) {
        restore();
    }
}

/// Records where the frame ends below the cursor, for [`restore`].
pub(crate) fn frame_ends(rows_below: Option<usize>) {
    BELOW.store(rows_below.map_or(0, |rows| rows + 1), Ordering::Relaxed);
}

/// Records the buffer of the frame, for [`restore`].
pub(crate) fn frame_on(buffer: ScreenBuffer) {
    SCREEN.store(buffer == ScreenBuffer::Alternate, Ordering::Relaxed);
}

/// Restores the terminal. Does nothing if it is already restored.
pub fn restore() {
    let Some(saved) = lock().take() else {
        return;
    };
    let mut bytes = match saved.mouse {
        Mouse::On => [MOUSE_OFF, LEAVE].concat(),
        Mouse::Off => LEAVE.to_vec(),
    };
    if SCREEN.swap(false, Ordering::Relaxed) {
        // This also restores the cursor of the inline frame.
        bytes.extend_from_slice(b"\x1b[?1049l");
    }
    let below = BELOW.swap(0, Ordering::Relaxed);
    if below > 1 {
        bytes.extend_from_slice(format!("\x1b[{}B", below - 1).as_bytes());
    }
    if below > 0 {
        bytes.extend_from_slice(b"\r\n");
    }
    let mut output = &saved.output;
    // A terminal that was closed needs no restoring.
    let written = output.write_all(&bytes).and_then(|()| output.flush());
    let restored = tcsetattr(&saved.input, OptionalActions::Now, &saved.termios);
    drop((written, restored));
}

fn lock() -> std::sync::MutexGuard<'static, Option<Saved>> {
    SAVED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Restores the terminal before a panic message is printed. A panic of another thread leaves the
/// prompt alone.
fn restore_on_panic() {
    HOOK.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let here = std::thread::current().id();
            let drawing = SAVED
                .try_lock()
                .is_ok_and(|saved| saved.as_ref().is_some_and(|saved| saved.thread == here));
            if drawing {
                restore();
            }
            told(info);
        }));
    });
}
