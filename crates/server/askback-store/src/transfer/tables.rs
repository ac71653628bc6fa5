//! Every table that is moved, with its columns.

/// How a column is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers, times and deadlines, which both stores keep in the same way.
    Number,
    /// Text as it is.
    Text,
    /// Bytes as they are.
    Bytes,
    /// A number in SQLite if it is known.
    Name,
    /// 16 bytes in SQLite if askback has made it.
    ConversationId,
    /// The same for inquiries.
    InquiryId,
    /// PostgreSQL has only the hash.
    RequestKey,
}

/// A column of both stores.
#[derive(Debug)]
pub struct Column {
    /// In both stores.
    pub name: &'static str,
    /// What is in it.
    pub kind: ColumnKind,
}

/// A table of both stores.
#[derive(Debug)]
pub struct Table {
    /// In both stores.
    pub name: &'static str,
    /// The first is the primary key.
    pub columns: &'static [Column],
}

impl Table {
    /// The column that rows are sorted by.
    pub fn key(&self) -> &'static Column {
        &self.columns[0]
    }

    /// The names of the columns, with a comma between.
    pub fn column_list(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        names.join(", ")
    }
}

macro_rules! tables {
    ($($table:ident { $($column:ident: $kind:ident),+ $(,)? })+) => {
        &[$(Table {
            name: stringify!($table),
            columns: &[$(Column {
                name: stringify!($column),
                kind: ColumnKind::$kind,
            }),+],
        }),+]
    };
}

/// In an order in which references lead to rows that exist.
pub const TABLES: &[Table] = tables! {
    conversations {
        number: Number,
        id: ConversationId,
        parent: Number,
        driver: Name,
        app: Text,
        state: Name,
        version: Number,
        created_at: Number,
        updated_at: Number,
        closed_from: Number,
        title: Text,
        json: Text,
    }
    inquiries {
        number: Number,
        id: InquiryId,
        conversation: Number,
        status: Name,
        dialect: Name,
        revision: Number,
        version: Number,
        source: Text,
        webhook: Text,
        credential: Text,
        asked_at: Number,
        expires_at: Number,
        resolved_at: Number,
        resolution: Text,
        held: Text,
        json: Text,
    }
    records { last: Number, conversation: Number, at: Number, body: Text }
    askers {
        inquiry: Number,
        client: Text,
        project: Text,
        session: Text,
        call: Text,
        delivery_attempts: Number,
        delivered_at: Number,
        taken_over: Number,
        detached: Number,
    }
    jobs {
        id: Number,
        conversation: Number,
        inquiry: Number,
        queue: Text,
        kind: Name,
        run_at: Number,
        attempts: Number,
        json: Text,
    }
    drafts { inquiry: Number, at: Number, json: Text }
    snoozes { inquiry: Number, until: Number }
    request_keys { key: RequestKey, request: Bytes, conversation: Number, inquiry: InquiryId }
    tombstones {
        inquiry: InquiryId,
        conversation: Number,
        status: Name,
        dialect: Name,
        revision: Number,
        version: Number,
        credential: Text,
        asked_at: Number,
        resolved_at: Number,
        resolution: Text,
    }
    sessions {
        id: Text,
        secret_hash: Bytes,
        token_id: Bytes,
        user_agent: Text,
        credential: Text,
        person: Text,
        created_at: Number,
        last_used_at: Number,
        expires_at: Number,
    }
    credentials {
        name: Text,
        secret_hash: Bytes,
        scope: Text,
        person: Text,
        created_at: Number,
        last_used_at: Number,
        expires_at: Number,
    }
    deliveries {
        number: Number,
        inquiry: Text,
        channel: Text,
        recipient: Text,
        address: Text,
        progress: Text,
        attempts: Number,
        version: Number,
        due_at: Number,
        changed_at: Number,
        external_id: Text,
        shown_hash: Text,
    }
    channel_values { key: Text, inquiry: Text, value: Text }
};
