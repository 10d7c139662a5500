// User A of ARCP, in its own process: begins jobs that do not end, then subscribes.
import { connect } from './arcp-client.js'
import { answer } from './processes.js'

let client

answer({
  async start({ url }) {
    client = await connect(url, 'ada')
  },
  async jobs(count) {
    client.send('tool.invoke', { tool: 'report' })
    for (let job = 1; job < count; job++) client.send('tool.invoke', { tool: 'wait' })
    await client.until(['job.accepted', 'nack'], count)
    return { accepted: client.count('job.accepted'), refused: client.count('nack') }
  },
  async subscriptions(count) {
    const before = client.count('nack')
    for (let each = 0; each < count; each++) client.send('subscribe', { filter: {} })
    await client.until(['subscribe.accepted', 'nack'], count + before)
    return { accepted: client.count('subscribe.accepted'), refused: client.count('nack') - before }
  },
  counts: () => ({ events: client.count('subscribe.event'), closed: client.count('subscribe.closed') }),
})
