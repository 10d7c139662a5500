/** A connection of a pool: what this package calls of it. */
export interface PostgresClient {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly PostgresRow[] }>
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown
  /** @param destroy end the connection instead of keeping it for others */
  release(destroy?: boolean): void
}

/** A row of a result: its columns by their names. */
export type PostgresRow = Readonly<Record<string, unknown>>

/** A pool of connections: `new Pool()` of `pg`, or of a driver with the same methods, such as Neon's. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  /** Reports each new connection, before its first use. */
  on(event: 'connect', listener: (client: PostgresClient) => void): unknown
}
