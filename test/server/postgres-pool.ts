import pg from 'pg'

/** A pool that survives the end of its server, as an app has one. */
export function openPool(connectionString: string, max = 4): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, connectionTimeoutMillis: 1000 })
  pool.on('error', () => {})
  return pool
}
