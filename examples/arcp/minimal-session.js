// The smallest session: connect, see who the other side is, leave.
import { ArcpClient, memoryTransport } from 'capstan/arcp'
import { createArcpRuntime } from 'capstan/arcp/runtime'

const runtime = createArcpRuntime({ tools: {}, runtime: { kind: 'example', version: '1' } })
const arcp = new ArcpClient({ transport: memoryTransport(runtime.accept) })

const session = await arcp.connect()
console.log(`${session.phase}: ${session.runtime.kind} ${session.runtime.version}`)

arcp.close()
await runtime.close()
