//! Numbered changes of a schema, and how a store recognises those that were applied.

use crate::store::StoreError;

/// One change of a schema.
pub struct Migration {
    /// Starts at 1, without gaps.
    pub number: u32,
    /// For people who look into the database.
    pub name: &'static str,
    /// Never changes after its release.
    pub sql: &'static str,
}

impl Migration {
    /// FNV-1a without carriage returns, so that it is the same on every platform.
    pub fn checksum(&self) -> i64 {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in self.sql.bytes().filter(|byte| *byte != b'\r') {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        hash.cast_signed()
    }

    /// Fails if the applied migration is not this one.
    pub fn verify(&self, applied_checksum: i64) -> Result<(), StoreError> {
        if applied_checksum == self.checksum() {
            return Ok(());
        }
        Err(StoreError::Corrupt(format!(
            "migration {} ({}) in this database differs from the one in this version; the database \
             was made by a different build of askback",
            self.number, self.name
        )))
    }
}

/// Fails if the database has a migration that this version does not know.
pub fn refuse_newer(found: u32, known: &[Migration]) -> Result<(), StoreError> {
    let known = known.last().map_or(0, |migration| migration.number);
    if found <= known {
        return Ok(());
    }
    Err(StoreError::Unavailable(format!(
        "the database was written by a newer version of askback (its schema is version {found}, this \
         version supports {known}); use that version, or another data directory"
    )))
}
