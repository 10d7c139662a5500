// A runtime of ARCP in its own process, over WebSockets.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { createArcpRuntime, toArcpUpgradeListener } from '../../dist/arcp-runtime.js'
import { answer, memory } from './processes.js'

/** How often a second a job reports. */
const TICKS = 20
let startReports
const reporting = new Promise((resolve) => {
  startReports = resolve
})

answer({
  async start({ limits }) {
    const runtime = createArcpRuntime({
      auth: { bearer: (token) => token },
      // No heartbeat is sent while it is measured: the load is what the users send.
      heartbeatSeconds: 3_600,
      limits,
      tools: {
        wait: () => new Promise(() => {}),
        work: ({ n }) => n,
        async report(_given, { progress, signal }) {
          const perSecond = await reporting
          while (!signal.aborted) {
            // A runtime that is behind is not sent more to catch up.
            for (let count = 0; count < perSecond / TICKS; count++) progress({ message: 'still working' })
            await sleep(1_000 / TICKS)
          }
        },
      },
    })
    const webSocketServer = new WebSocketServer({ noServer: true, perMessageDeflate: false })
    const server = createServer().on('upgrade', toArcpUpgradeListener(runtime, { webSocketServer }))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: `ws://127.0.0.1:${server.address().port}` }
  },
  report: (perSecond) => startReports(perSecond),
  memory,
})
