//! The container of a workbook: a ZIP file whose parts are written one after the other.
//!
//! Sizes are filled in once a part ends, so that readers which don't take them from the end of a part
//! can read it. Times are left out: the same rows give the same bytes. Source: APPNOTE 6.3.10.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// 1 January 1980, the first day that the format knows.
const DAY: u16 = 1 << 5 | 1;
const DEFLATE: u16 = 8;
const VERSION: u16 = 20;

/// A container between two parts.
pub(super) struct Zip {
    file: File,
    /// What the list at the end holds.
    list: Vec<u8>,
    count: u16,
    at: u64,
}

impl Zip {
    pub(super) fn new(file: File) -> Self {
        Zip { file, list: Vec::new(), count: 0, at: 0 }
    }

    /// Begins a part.
    pub(super) fn begin(mut self, name: &'static str) -> io::Result<Part> {
        let start = self.at;
        self.file.write_all(&0x0403_4b50_u32.to_le_bytes())?;
        self.file.write_all(&described(name, Sizes::default()))?;
        self.file.write_all(name.as_bytes())?;
        let file = self.file.try_clone()?;
        let encoder = DeflateEncoder::new(io::BufWriter::new(file), Compression::fast());
        Ok(Part { zip: self, name, start, encoder, sum: Crc::new() })
    }

    /// Writes the list of parts, and gives the file back.
    pub(super) fn finish(mut self) -> io::Result<File> {
        let mut end = std::mem::take(&mut self.list);
        let size = narrow(end.len() as u64)?;
        end.extend_from_slice(&0x0605_4b50_u32.to_le_bytes());
        // this disk, the list's disk, parts here, parts in all
        for n in [0, 0, self.count, self.count] {
            end.extend_from_slice(&n.to_le_bytes());
        }
        for n in [size, narrow(self.at)?] {
            end.extend_from_slice(&n.to_le_bytes());
        }
        end.extend_from_slice(&0_u16.to_le_bytes());
        self.file.write_all(&end)?;
        Ok(self.file)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Sizes {
    sum: u32,
    compressed: u32,
    plain: u32,
}

/// A part that is being written.
pub(super) struct Part {
    zip: Zip,
    name: &'static str,
    start: u64,
    encoder: DeflateEncoder<io::BufWriter<File>>,
    sum: Crc,
}

impl Part {
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.encoder.write_all(bytes)
    }

    /// Tells whether the part is as large as the format can say.
    pub(super) fn is_full(&self) -> bool {
        self.encoder.total_in() > u64::from(u32::MAX)
    }

    /// Ends the part and fills in its sizes.
    pub(super) fn end(self) -> io::Result<Zip> {
        let Part { mut zip, name, start, mut encoder, sum } = self;
        encoder.try_finish()?;
        let sizes = Sizes {
            sum: sum.sum(),
            compressed: narrow(encoder.total_out())?,
            plain: narrow(encoder.total_in())?,
        };
        encoder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        zip.file.seek(SeekFrom::Start(start + 4))?;
        zip.file.write_all(&described(name, sizes))?;
        zip.at = zip.file.seek(SeekFrom::End(0))?;
        zip.list.extend_from_slice(&0x0201_4b50_u32.to_le_bytes());
        zip.list.extend_from_slice(&VERSION.to_le_bytes());
        zip.list.extend_from_slice(&described(name, sizes));
        // no comment, first disk, no attributes
        zip.list.extend_from_slice(&[0; 10]);
        zip.list.extend_from_slice(&narrow(start)?.to_le_bytes());
        zip.list.extend_from_slice(name.as_bytes());
        zip.count += 1;
        Ok(zip)
    }
}

/// Writes what stands both before a part and in the list: from the version to the extra length.
fn described(name: &str, sizes: Sizes) -> Vec<u8> {
    let mut bytes = Vec::new();
    for n in [VERSION, 0, DEFLATE, 0, DAY] {
        bytes.extend_from_slice(&n.to_le_bytes());
    }
    for n in [sizes.sum, sizes.compressed, sizes.plain] {
        bytes.extend_from_slice(&n.to_le_bytes());
    }
    let length = u16::try_from(name.len()).unwrap_or(0);
    for n in [length, 0] {
        bytes.extend_from_slice(&n.to_le_bytes());
    }
    bytes
}

fn narrow(n: u64) -> io::Result<u32> {
    u32::try_from(n).map_err(|_| io::ErrorKind::FileTooLarge.into())
}
