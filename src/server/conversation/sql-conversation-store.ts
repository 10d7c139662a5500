import type { ConversationAnswer, ConversationStore, ConversationTurn } from './conversation-store.ts'

/** A row of a result: its columns by their names. */
export type SqlRow = Readonly<Record<string, unknown>>

/** The one thing that is needed of a database: `pool.query` of `pg`, or two lines around another driver. */
export type SqlQuery = (
  text: string,
  values: readonly (string | number | null)[],
) => Promise<readonly SqlRow[] | { readonly rows: readonly SqlRow[] }>

export interface SqlConversationStoreOptions {
  /** Carries out one statement and resolves with its rows. */
  readonly query: SqlQuery
  /** How the driver marks the value of a number, from 1. @default `$1`, `$2` and so on */
  readonly placeholder?: ((ordinal: number) => string) | undefined
}

/** Creates the two tables where they are not there, in Postgres, SQLite and what speaks their SQL. Statements end with a semicolon. */
export const CONVERSATION_TABLES = `CREATE TABLE IF NOT EXISTS capstan_conversations (
  owner TEXT NOT NULL,
  id TEXT NOT NULL,
  title TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (owner, id)
);
CREATE TABLE IF NOT EXISTS capstan_turns (
  owner TEXT NOT NULL,
  conversation TEXT NOT NULL,
  id TEXT NOT NULL,
  position BIGINT NOT NULL,
  turn TEXT NOT NULL,
  answer TEXT,
  PRIMARY KEY (owner, conversation, id)
);`

/**
 * Conversations in a SQL database, by any driver that takes a text and its values. It needs the two tables of
 * `CONVERSATION_TABLES` and `INSERT … ON CONFLICT`, as Postgres and SQLite have it.
 *
 * @example
 * ```ts
 * import { createAgentHandler, sqlConversationStore, type SqlQuery } from 'capstan/server'
 *
 * // stands for: new Pool(), of pg
 * declare const pool: { query: SqlQuery }
 * export const POST = createAgentHandler({
 *   conversations: sqlConversationStore({ query: (text, values) => pool.query(text, values) }),
 *   agent: async function* (_request, run) {
 *     yield `You have said ${(await run.history()).length} things before.`
 *   },
 * })
 * ```
 */
export function sqlConversationStore({
  query,
  placeholder = (ordinal) => `$${ordinal}`,
}: SqlConversationStoreOptions): ConversationStore {
  /** Every `?` becomes the next placeholder, so that drivers that count and drivers that do not get the same values. */
  const run = async (text: string, ...values: readonly (string | number | null)[]): Promise<readonly SqlRow[]> => {
    let ordinal = 0
    const result = await query(
      text.replaceAll('?', () => placeholder((ordinal += 1))),
      values,
    )
    return 'rows' in result ? result.rows : result
  }

  return {
    async begin({ owner, id }, turn, title) {
      await run(
        'INSERT INTO capstan_conversations (owner, id, title, created_at, updated_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (owner, id) DO UPDATE SET updated_at = excluded.updated_at',
        owner,
        id,
        title,
        turn.at,
        turn.at,
      )
      // Not where the conversation was removed meanwhile: no list would show the turn.
      await run(
        'INSERT INTO capstan_turns (owner, conversation, id, position, turn) SELECT ?, ?, ?, (SELECT COALESCE(MAX(position), 0) + 1 FROM capstan_turns WHERE owner = ? AND conversation = ?), ? WHERE EXISTS (SELECT 1 FROM capstan_conversations WHERE owner = ? AND id = ?) ON CONFLICT (owner, conversation, id) DO UPDATE SET turn = excluded.turn, answer = NULL',
        owner,
        id,
        turn.id,
        owner,
        id,
        JSON.stringify(turn),
        owner,
        id,
      )
    },
    async finish({ owner, id }, turnId, answer) {
      await run(
        'UPDATE capstan_turns SET answer = ? WHERE owner = ? AND conversation = ? AND id = ?',
        JSON.stringify(answer),
        owner,
        id,
        turnId,
      )
      await run('UPDATE capstan_conversations SET updated_at = ? WHERE owner = ? AND id = ?', answer.at, owner, id)
    },
    async turns({ owner, id }) {
      const rows = await run(
        'SELECT turn, answer FROM capstan_turns WHERE owner = ? AND conversation = ? ORDER BY position, id',
        owner,
        id,
      )
      return rows.map(turnOf)
    },
    async list(owner, limit) {
      const rows = await run(
        'SELECT id, title, created_at, updated_at FROM capstan_conversations WHERE owner = ? ORDER BY updated_at DESC LIMIT ?',
        owner,
        limit,
      )
      return rows.map((row) => ({
        id: String(row['id']),
        title: String(row['title']),
        // Some drivers give large integers as text.
        createdAt: Number(row['created_at']),
        updatedAt: Number(row['updated_at']),
      }))
    },
    async rename({ owner, id }, title) {
      await run('UPDATE capstan_conversations SET title = ? WHERE owner = ? AND id = ?', title, owner, id)
    },
    async remove({ owner, id }) {
      const removeTurns = 'DELETE FROM capstan_turns WHERE owner = ? AND conversation = ?'
      // Turns go first, so that a conversation whose removal was interrupted is still listed and can be removed again.
      await run(removeTurns, owner, id)
      await run('DELETE FROM capstan_conversations WHERE owner = ? AND id = ?', owner, id)
      // One may have begun in between.
      await run(removeTurns, owner, id)
    },
  }
}

/** Both columns were written by this store. */
function turnOf({ turn, answer }: SqlRow): ConversationTurn {
  const asked = JSON.parse(String(turn)) as ConversationTurn
  return typeof answer === 'string' ? { ...asked, answer: JSON.parse(answer) as ConversationAnswer } : asked
}
