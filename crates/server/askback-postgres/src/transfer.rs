//! Reads and writes whole tables of a database that no node uses.

use std::sync::Arc;

use askback_store::transfer::{ColumnKind, Counters, Table, TransferStore, Value};
use askback_store::{StoreError, StoreFuture};
use tokio_postgres::types::Type;

use crate::connection::{Connection, Connector};
use crate::migrations;
use crate::options::PostgresOptions;
use crate::sql_values::{AnyValue, Columns, Parameter, agent_hash};

/// Few, because a row may have a megabyte.
const ROWS_MAX: i64 = 100;

/// Nodes that start while this lock is held wait for its end before they register.
const LOCK_NODES: &str =
    "BEGIN ISOLATION LEVEL REPEATABLE READ; LOCK TABLE askback.nodes IN EXCLUSIVE MODE";

/// A database that is moved, or moved to.
pub struct PostgresTransfer {
    connection: Connection,
    /// The key of the last row that was read.
    after: Option<Value>,
}

impl PostgresTransfer {
    /// Brings the schema to this version, makes sure that no node runs, and begins a transaction.
    pub async fn open(options: PostgresOptions) -> Result<PostgresTransfer, StoreError> {
        let connection = Connector::new(options, Arc::default())?.connect().await?;
        migrations::migrate(&connection).await?;
        connection.batch(LOCK_NODES).await?;
        let running = connection
            .query_once(
                "SELECT name, ceil(extract(epoch FROM lease_until - clock_timestamp()))::bigint
                 FROM askback.nodes WHERE lease_until > clock_timestamp() ORDER BY lease_until DESC",
                &[],
            )
            .await?;
        if let Some(node) = running.first() {
            let mut columns = Columns::of(node);
            let (name, seconds): (String, i64) = (columns.get()?, columns.get()?);
            return Err(StoreError::Unavailable(format!(
                "a node runs on the database ({name}). Stop it. If it was killed, wait {seconds} seconds until its lease \
                 has ended"
            )));
        }
        Ok(PostgresTransfer {
            connection,
            after: None,
        })
    }

    async fn read_rows(&mut self, table: &Table) -> Result<Vec<Vec<Value>>, StoreError> {
        let key = table.key();
        let condition = match &self.after {
            Some(_) => format!("WHERE {} > $2", key.name),
            None => String::new(),
        };
        let sql = format!(
            "SELECT {} FROM askback.{} {condition} ORDER BY {} LIMIT $1",
            table.column_list(),
            table.name,
            key.name
        );
        let after = self.after.clone().map(AnyValue);
        let mut parameters: Vec<&dyn Parameter> = vec![&ROWS_MAX];
        parameters.extend(after.as_ref().map(|after| after as &dyn Parameter));
        let found = self.connection.query_once(&sql, &parameters).await?;
        let rows = found.iter().map(|row| Columns::of(row).values());
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        if let Some(last) = rows.last() {
            self.after = last.first().cloned();
        }
        Ok(rows)
    }

    async fn insert_rows(&self, table: &Table, rows: Vec<Vec<Value>>) -> Result<(), StoreError> {
        let mut names = vec![table.column_list()];
        let mut arrays: Vec<Box<dyn Parameter + Send>> = Vec::new();
        if table.name == "askers" {
            names.push("agent".to_owned());
            arrays.push(Box::new(agents(table, &rows)));
        }
        let mut columns: Vec<Vec<Value>> = table.columns.iter().map(|_| Vec::new()).collect();
        for row in rows {
            for (column, value) in columns.iter_mut().zip(row) {
                column.push(value);
            }
        }
        let own = table.columns.iter().zip(columns);
        let own = own.map(|(column, values)| array(column.kind, values));
        let arrays: Vec<_> = own.chain(arrays).collect();
        let places: Vec<String> = (1..=arrays.len())
            .zip(&arrays)
            .map(|(place, array)| format!("${place}::{}", array_name(&array.sql_type())))
            .collect();
        let sql = format!(
            "INSERT INTO askback.{} ({}) OVERRIDING SYSTEM VALUE SELECT * FROM UNNEST ({})",
            table.name,
            names.join(", "),
            places.join(", ")
        );
        let parameters: Vec<&dyn Parameter> = arrays
            .iter()
            .map(|array| array.as_ref() as &dyn Parameter)
            .collect();
        self.connection.query_once(&sql, &parameters).await?;
        Ok(())
    }

    async fn read_counters(&self) -> Result<Counters, StoreError> {
        let sql = "SELECT sequence, job, conversation, inquiry,
                          (SELECT CASE WHEN is_called THEN last_value ELSE 0 END
                           FROM askback.deliveries_number_seq)
                   FROM askback.counters";
        let rows = self.connection.query_once(sql, &[]).await?;
        let row = rows.first().ok_or_else(|| {
            StoreError::Corrupt("the table counters of the database is empty".to_owned())
        })?;
        let mut columns = Columns::of(row);
        Ok(Counters {
            sequence: columns.get()?,
            job: columns.get()?,
            conversation: columns.get()?,
            inquiry: columns.get()?,
            delivery: columns.get()?,
        })
    }

    async fn write_counters(&self, counters: Counters) -> Result<(), StoreError> {
        let sql = "UPDATE askback.counters
                   SET sequence = $1, job = $2, conversation = $3, inquiry = $4";
        let Counters {
            sequence,
            job,
            conversation,
            inquiry,
            delivery,
        } = counters;
        self.connection
            .query_once(sql, &[&sequence, &job, &conversation, &inquiry])
            .await?;
        if delivery > 0 {
            let sql = "SELECT setval('askback.deliveries_number_seq', $1)";
            self.connection.query_once(sql, &[&delivery]).await?;
        }
        Ok(())
    }
}

impl TransferStore for PostgresTransfer {
    fn rewind(&mut self) {
        self.after = None;
    }

    fn next_rows(&mut self, table: &'static Table) -> StoreFuture<'_, Vec<Vec<Value>>> {
        Box::pin(self.read_rows(table))
    }

    fn insert(&mut self, table: &'static Table, rows: Vec<Vec<Value>>) -> StoreFuture<'_, ()> {
        Box::pin(self.insert_rows(table, rows))
    }

    fn counters(&mut self) -> StoreFuture<'_, Counters> {
        Box::pin(self.read_counters())
    }

    fn set_counters(&mut self, counters: Counters) -> StoreFuture<'_, ()> {
        Box::pin(self.write_counters(counters))
    }

    fn commit(&mut self) -> StoreFuture<'_, ()> {
        Box::pin(async { Ok(self.connection.batch("COMMIT").await?) })
    }
}

fn scalar(kind: ColumnKind) -> Type {
    match kind {
        ColumnKind::Number => Type::INT8,
        ColumnKind::Text
        | ColumnKind::Name
        | ColumnKind::ConversationId
        | ColumnKind::InquiryId => Type::TEXT,
        ColumnKind::Bytes | ColumnKind::RequestKey => Type::BYTEA,
    }
}

fn array_name(ty: &Type) -> &'static str {
    if *ty == Type::INT8_ARRAY {
        "bigint[]"
    } else if *ty == Type::BYTEA_ARRAY {
        "bytea[]"
    } else {
        "text[]"
    }
}

fn array(kind: ColumnKind, values: Vec<Value>) -> Box<dyn Parameter + Send> {
    if scalar(kind) == Type::INT8 {
        let numbers = values.into_iter().map(|value| match value {
            Value::Number(number) => Some(number),
            Value::Null | Value::Text(_) | Value::Bytes(_) => None,
        });
        Box::new(numbers.collect::<Vec<_>>())
    } else if scalar(kind) == Type::BYTEA {
        let bytes = values.into_iter().map(|value| match value {
            Value::Bytes(bytes) => Some(bytes),
            Value::Null | Value::Text(_) | Value::Number(_) => None,
        });
        Box::new(bytes.collect::<Vec<_>>())
    } else {
        let texts = values.into_iter().map(|value| match value {
            Value::Text(text) => Some(text),
            Value::Null | Value::Bytes(_) | Value::Number(_) => None,
        });
        Box::new(texts.collect::<Vec<_>>())
    }
}

/// The hashes of client and project, which only PostgreSQL has.
fn agents(table: &Table, rows: &[Vec<Value>]) -> Vec<Vec<u8>> {
    let column = |name| table.columns.iter().position(|column| column.name == name);
    let (client, project) = (column("client"), column("project"));
    let text = |row: &[Value], index: Option<usize>| match index.and_then(|index| row.get(index)) {
        Some(Value::Text(text)) => text.clone(),
        Some(Value::Null | Value::Number(_) | Value::Bytes(_)) | None => String::new(),
    };
    let hashes = rows.iter().map(|row| {
        let project = text(row, project);
        agent_hash(&text(row, client), Some(project.as_str()))
    });
    hashes.collect()
}
