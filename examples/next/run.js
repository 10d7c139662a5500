import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { startAgent } from './agent/server.js'

// node run.js dev | build | start: Next.js, and next to it the agent where pages are served, unless AGENT_URL names another one.
// The key is known to these two processes and to nobody else.

const [command] = process.argv.slice(2)
const env = { NEXT_TELEMETRY_DISABLED: '1', ...process.env }
if (command !== 'build' && !env.AGENT_URL) {
  env.AGENT_KEY ??= randomBytes(24).toString('base64url')
  env.AGENT_URL = (await startAgent({ key: env.AGENT_KEY })).url
}

const next = spawn(
  process.execPath,
  [createRequire(import.meta.url).resolve('next/dist/bin/next'), ...process.argv.slice(2)],
  { env, stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => next.kill(signal))
next.on('exit', (code) => process.exit(code ?? 1))
