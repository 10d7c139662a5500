import { WebSocket } from 'ws'

/** A client of ARCP that only counts what arrives, so that it costs little itself. */
export async function connect(url, token) {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const counts = new Map()
  const listeners = new Set()
  let ids = 0
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const client = {
    counts,
    count: (type) => counts.get(type) ?? 0,
    send(type, payload) {
      ids += 1
      const timestamp = new Date().toISOString()
      socket.send(JSON.stringify({ arcp: '1.0', id: `${token}-${ids}`, type, timestamp, payload }))
      return `${token}-${ids}`
    },
    /** Resolves with the first message that fits. */
    message: (fits) =>
      new Promise((resolve) => {
        const listener = (message) => {
          if (!fits(message)) return
          listeners.delete(listener)
          resolve(message)
        }
        listeners.add(listener)
      }),
    /** Resolves when so many messages of these types have arrived. */
    until: (types, count) =>
      new Promise((resolve) => {
        const look = () => {
          if (types.reduce((sum, type) => sum + client.count(type), 0) < count) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
      }),
    close: () => socket.terminate(),
  }
  socket.on('message', (data) => {
    const message = JSON.parse(Buffer.concat([data].flat()).toString('utf8'))
    counts.set(message.type, client.count(message.type) + 1)
    for (const listener of listeners) listener(message)
  })
  const accepted = client.message(({ type }) => type === 'session.accepted')
  client.send('session.open', {
    auth: { scheme: 'bearer', token },
    client: { kind: 'bench', version: '1' },
    capabilities: { streaming: true, subscriptions: true, artifacts: true },
  })
  await accepted
  return client
}
