// An agent behind createAgentHandler in its own process. A long answer has its text, then stays live until it is aborted.
import { createServer } from 'node:http'
import { createAgentHandler, memoryEventLog, toNodeListener } from '../../dist/server.js'
import { answer, memory } from './processes.js'

/** Characters of each piece of text. */
const PIECE = 64_000

answer({
  async start({ maxLiveBytes }) {
    const counts = { written: 0, discarded: 0, refused: 0 }
    const handler = createAgentHandler({
      authorize: (request) => request.headers.get('authorization') ?? undefined,
      log: memoryEventLog({ maxLiveBytes }),
      onError: () => {},
      async *agent(_request, run) {
        const size = Number(run.text)
        let isWritten = false
        try {
          for (let at = 0; at < size; at += PIECE) {
            yield 'x'.repeat(Math.min(PIECE, size - at))
            await run.sleep(0)
          }
          isWritten = true
          if (size < PIECE) return
          counts.written += 1
          await new Promise((resolve) => {
            run.signal.addEventListener('abort', resolve)
          })
        } finally {
          if (!isWritten) counts.discarded += 1
        }
      },
    })
    const server = createServer(toNodeListener(handler))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.counts = () => counts
    return { url: `http://127.0.0.1:${server.address().port}/cap` }
  },
  counts: undefined,
  memory,
})
