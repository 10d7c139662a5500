import { createServer } from 'node:http'
import { createAgentHandler, event, memoryEventLog, toNodeListener, warning } from '../../dist/server.js'

/**
 * Every connection whose number divides by this is cut after its first bytes: no number of another cycle, and rare enough that the
 * retry budget of a page earns what it spends.
 */
const CUT_EVERY = 11
const WORDS = 16

/** An answer with text, a source, progress and a warning, as long for every run. */
async function* agent(request, run) {
  const step = run.uuid()
  yield event('PROGRESS_INDICATOR', { label: 'Searching', status: 'running' }, { id: step })
  for (let word = 0; word < WORDS; word += 1) {
    yield word % 8 === 7
      ? `\n\n- **item ${word}** of [a page](https://rivers.example/${word})\n\n`
      : `word ${word} [1] `
    await run.sleep(2)
  }
  yield event('CITATION_BLOCK', {
    citations: [{ source_id: 'geo', uri: 'https://rivers.example/bends', title: 'River bends', confidence: 0.8 }],
  })
  yield event('PROGRESS_INDICATOR', { label: 'Searching', status: 'complete' }, { id: step })
  yield warning('old_index', 'The index is a day old.')
}

/**
 * Serves an agent on a free port of this machine, keeps little of what it said, and cuts every eleventh connection. `page(url)`
 * returns `[type, text]` of what a GET asks for.
 *
 * @param {(url: string) => readonly [type: string, text: string] | undefined} page
 */
export async function serveAgent(page = () => undefined) {
  const seen = { runs: 0, connections: 0, cuts: 0, open: 0 }
  const counted = async function* (request, run) {
    seen.runs += 1
    yield* agent(request, run)
  }
  // Bounded by size and not by time: what it keeps is the same however many runs the machine gets through in a second.
  const log = memoryEventLog({ maxBytes: 500_000, maxRemembered: 100 })
  const listener = toNodeListener(createAgentHandler({ agent: counted, log }))
  const server = createServer((request, response) => {
    const found = request.method === 'GET' ? page(request.url) : undefined
    if (found !== undefined)
      return void response.writeHead(200, { 'content-type': `${found[0]}; charset=utf-8` }).end(found[1])
    seen.connections += 1
    seen.open += 1
    response.on('close', () => {
      seen.open -= 1
    })
    if (seen.connections % CUT_EVERY === 0) {
      seen.cuts += 1
      const write = response.write.bind(response)
      let writes = 0
      response.write = (...given) => {
        writes += 1
        if (writes <= 6) return write(...given)
        response.destroy()
        return false
      }
    }
    return listener(request, response)
  })
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    seen,
    origin: `http://127.0.0.1:${server.address().port}`,
    /** Closes the connections that the HTTP client keeps for a later request. */
    closeIdle() {
      server.closeIdleConnections()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What the agent says in text, by which an answer is known to be whole. */
export const WHOLE = Array.from({ length: WORDS }, (_, word) =>
  word % 8 === 7 ? `\n\n- **item ${word}** of [a page](https://rivers.example/${word})\n\n` : `word ${word} [1] `,
).join('')
