// A tool that asks for a value in mid-run. The first answer does not fit and is refused; the question stays open for the second.
import { ArcpClient, memoryTransport } from 'capstan/arcp'
import { createArcpRuntime } from 'capstan/arcp/runtime'

const runtime = createArcpRuntime({
  tools: {
    release: async (_given, { askHuman }) => {
      const { value } = await askHuman({
        prompt: 'Which branch is released?',
        schema: { type: 'object', properties: { branch: { type: 'string', minLength: 4 } }, required: ['branch'] },
      })
      return `Released ${value.branch}`
    },
  },
})
const arcp = new ArcpClient({ transport: memoryTransport(runtime.accept) })

const asked = new Promise((resolve) => {
  arcp.onMessage(({ type, id }) => type === 'human.input.request' && resolve(id))
})
const job = arcp.invoke('release')
const promptId = await asked
const refused = await arcp.answer(promptId, { type: 'value', value: { branch: 'm' } })
console.log(refused.result, refused.errors[0].path)
const taken = await arcp.answer(promptId, { type: 'value', value: { branch: 'main' } })
console.log(taken.result)
console.log((await job.result).value)

arcp.close()
await runtime.close()
