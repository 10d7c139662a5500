import { appendFileSync } from 'node:fs'
import { createArcpRuntime } from '../../../src/runtime/arcp-runtime.ts'
import { sqliteEventLog } from '../../../src/server/event-log/sqlite/sqlite-event-log.ts'
import { stdioConnection } from '../../../src/wire/stdio-transport.ts'
import { openWasm } from '../../server/event-log/sqlite/open-sqlite.ts'

// A program that speaks ARCP over its standard input and output, with its sessions in a database: `program DATABASE CALLS`.
const [database = '', calls = ''] = process.argv.slice(2)

async function main(): Promise<void> {
  const runtime = createArcpRuntime({
    log: sqliteEventLog(openWasm(database)),
    auth: { bearer: (token) => token },
    tools: {
      count: async ({ n }) => {
        appendFileSync(calls, `${String(n)}\n`)
        return n
      },
      stuck: async (_given, { stream }) => {
        await stream('text').write('Half of ')
        return new Promise(() => undefined)
      },
      draw: async ({ text }, { artifact }) => artifact(String(text), { mediaType: 'text/plain' }),
      die: async () => process.kill(process.pid, 'SIGKILL'),
    },
  })
  await runtime.accept(stdioConnection({ input: process.stdin, output: process.stdout }))
}

void main()
