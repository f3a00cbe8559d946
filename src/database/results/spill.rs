//! A temporary file that has no name: it is gone when the program ends, however it ends.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes an unnamed file in a folder, readable by this user only.
pub(super) fn unnamed(folder: &Path) -> io::Result<File> {
    let path = folder.join(format!("querent-{}", uuid::Uuid::now_v7().simple()));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    private(&mut options);
    let file = options.open(&path)?;
    if cfg!(unix) {
        std::fs::remove_file(&path)?;
    }
    Ok(file)
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600);
}

#[cfg(windows)]
fn private(options: &mut OpenOptions) {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    options.custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
}

/// Writes all bytes at a position.
#[cfg(unix)]
pub(super) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Reads bytes at a position.
#[cfg(unix)]
pub(super) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Writes all bytes at a position.
#[cfg(windows)]
pub(super) fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = bytes.get(written..).unwrap_or(&[]);
        offset += written as u64;
    }
    Ok(())
}

/// Reads bytes at a position.
#[cfg(windows)]
pub(super) fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = bytes.split_at_mut(read).1;
        offset += read as u64;
    }
    Ok(())
}
