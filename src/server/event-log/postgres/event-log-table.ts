/**
 * Creates the table of the event log where it is absent. Statements end with a semicolon. Rows of a run: the run itself (`run:` and its
 * key, counter 0; its body is the id of the run), and its entries (`log:` and that id, from counter 1), between a mark for the beginning
 * and one for the end. Rows of a mailbox: the commands on their way to a process.
 */
export const EVENT_LOG_TABLE = `CREATE TABLE IF NOT EXISTS capstan_log (
  id TEXT COLLATE "C" NOT NULL,
  counter BIGINT NOT NULL,
  kind TEXT NOT NULL,
  writer TEXT NOT NULL,
  body TEXT NOT NULL,
  mailbox TEXT,
  bytes BIGINT,
  lease TIMESTAMPTZ,
  until TIMESTAMPTZ,
  PRIMARY KEY (id, counter)
);
CREATE INDEX IF NOT EXISTS capstan_log_until ON capstan_log (until) WHERE until IS NOT NULL;`
