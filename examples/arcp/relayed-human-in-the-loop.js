// A question is relayed: the client that works cannot ask anybody, another one sees the question and answers in the name of a person.
import { ArcpClient, memoryTransport } from 'capstan/arcp'
import { createArcpRuntime } from 'capstan/arcp/runtime'

const runtime = createArcpRuntime({
  auth: { bearer: (token) => ({ 'token-of-a-robot': 'robot', 'token-of-a-relay': 'relay' })[token] },
  mayAccess: (principal) => principal === 'relay',
  tools: {
    deploy: async (_given, { choose }) => {
      const { value, respondedBy } = await choose({
        prompt: 'Deploy on a Friday?',
        options: [
          { id: 'yes', label: 'Yes' },
          { id: 'no', label: 'No, on Monday' },
        ],
      })
      return `${value}, says ${respondedBy}`
    },
  },
})
const connect = (token) =>
  new ArcpClient({ transport: memoryTransport(runtime.accept), auth: { scheme: 'bearer', token } })
const robot = connect('token-of-a-robot')
const relay = connect('token-of-a-relay')

/** What stands for a message to the phone of a person, and what comes back. */
const askPerson = async ({ prompt, options }) => {
  console.log(`${prompt} ${options.map(({ label }) => label).join(' / ')}`)
  return options[1].id
}

/** @type {Promise<unknown> | undefined} */
let answered
const subscription = relay.subscribe(
  { types: ['human.choice.request'] },
  {
    async onMessage(message) {
      if (message.type !== 'human.choice.request') return
      const choice = await askPerson(message.payload)
      answered = relay.answer(message, { type: 'option', optionId: choice })
    },
  },
)
await subscription.accepted
const { value } = await robot.invoke('deploy').result
console.log(value)
console.log((await answered).result)

for (const client of [robot, relay]) client.close()
await runtime.close()
