// A tool that tells how far it is, streams text and gives a value.
import { ArcpClient, memoryTransport } from 'capstan/arcp'
import { createArcpRuntime } from 'capstan/arcp/runtime'

const runtime = createArcpRuntime({
  tools: {
    async *countRivers({ names }, { progress, usage }) {
      for (const [at, name] of names.entries()) {
        progress({ current: at + 1, total: names.length, message: `Looking at ${name}` })
        yield `${name} `
      }
      usage({ inputTokens: 12, outputTokens: names.length })
      return { rivers: names.length }
    },
  },
})
const arcp = new ArcpClient({ transport: memoryTransport(runtime.accept) })

const job = arcp.invoke(
  'countRivers',
  { names: ['Elbe', 'Rhine', 'Danube'] },
  { onMessage: ({ type, payload }) => type === 'job.progress' && console.log(payload.message, payload.current) },
)
const { value } = await job.result
const [stream] = arcp.getState().streams.values()
console.log(`${value.rivers} rivers: ${stream.text.trim()}`)

arcp.close()
await runtime.close()
