// A tool that needs a permission: denied once, then granted as a lease, which is extended and in the end revoked.
import { ArcpClient, memoryTransport } from 'capstan/arcp'
import { createArcpRuntime } from 'capstan/arcp/runtime'

const runtime = createArcpRuntime({
  tools: {
    write: async ({ file }, { requestPermission }) => {
      const lease = await requestPermission({
        permission: 'files.write',
        resource: file,
        operation: 'append',
        reason: 'To note the result',
        leaseSeconds: 60,
      })
      await new Promise((resolve) => {
        lease.signal.addEventListener('abort', resolve)
      })
      return lease.signal.reason.code
    },
  },
})
const arcp = new ArcpClient({ transport: memoryTransport(runtime.accept) })

let asked = 0
arcp.onMessage(async (message) => {
  if (message.type === 'permission.request') {
    asked += 1
    if (asked === 1) return arcp.answer(message.id, { type: 'decline', reason: 'Not in this folder' })
    return arcp.grant(message.id, 30)
  }
  if (message.type === 'lease.granted') {
    const id = message.payload.lease_id
    const until = await arcp.refreshLease(id, 120)
    console.log(`extended: ${Date.parse(until) > Date.parse(message.payload.expires_at)}`)
    runtime.revokeLease(id, 'The administrator has taken it back')
  }
})

const denied = await arcp.invoke('write', { file: '/etc/notes' }).result.catch((error) => error.agentCode)
console.log(denied)
const { value } = await arcp.invoke('write', { file: '/home/notes' }).result
console.log(value)

arcp.close()
await runtime.close()
