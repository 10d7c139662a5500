// A proxy in its own process, whose memory is measured (see instance-process.ts). GET /memory gives the most that it had, in MB.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAgentProxy } from '../../src/server/proxy/agent-proxy.ts'
import { memoryEventLog } from '../../src/server/event-log/memory-event-log.ts'
import { toNodeListener } from '../../src/server/platforms/node-listener.ts'

const { UPSTREAM = '', LOG } = process.env

const proxy = createAgentProxy({
  upstream: UPSTREAM,
  headers: {},
  authorize: () => 'ann',
  log: LOG === 'memory' ? memoryEventLog() : undefined,
  onError: () => {},
})
const listener = toNodeListener(proxy)
let most = 0
// `resourceUsage().maxRSS` counts what the process was forked from.
const measure = (): number => (most = Math.max(most, process.memoryUsage.rss()))
setInterval(measure, 5)
const server = createServer((req, res) => {
  if (req.url !== '/memory') return listener(req, res)
  res.end(String(Math.round(measure() / 1_048_576)))
})
server.listen(0, '127.0.0.1', () => {
  // A TCP server always has an AddressInfo once it listens.
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
