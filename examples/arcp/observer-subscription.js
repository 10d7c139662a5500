// One client works, another one observes it: first what was before it came, then what comes.
import { ArcpClient, memoryTransport } from 'capstan/arcp'
import { createArcpRuntime } from 'capstan/arcp/runtime'

const runtime = createArcpRuntime({
  auth: { bearer: (token) => ({ 'token-of-ada': 'ada', 'token-of-an-observer': 'observer' })[token] },
  mayAccess: (principal) => principal === 'observer',
  tools: { add: async ({ a, b }) => a + b },
})
const connect = (token) =>
  new ArcpClient({ transport: memoryTransport(runtime.accept), auth: { scheme: 'bearer', token } })
const ada = connect('token-of-ada')
const observer = connect('token-of-an-observer')

await ada.invoke('add', { a: 1, b: 2 }).result

const seen = []
await new Promise((resolve) => {
  observer.subscribe(
    { types: ['job.accepted', 'tool.result'] },
    {
      after: '',
      onMessage: ({ type, payload }) => {
        seen.push(type === 'tool.result' ? `${type} ${String(payload.value)}` : type)
        if (seen.length === 5) resolve()
      },
      onBackfilled() {
        seen.push('that was before')
        ada.invoke('add', { a: 3, b: 4 })
      },
    },
  )
})
console.log(seen.join('\n'))

for (const client of [ada, observer]) client.close()
await runtime.close()
