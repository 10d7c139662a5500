// npm run build && npm run bench:load [-- arcp | cap]
//
// What the work of one user costs another: 10,000 jobs and 20,000 subscriptions of ARCP, and 100 live answers of 8 MB that nobody reads.
import { request } from 'node:http'
import { cpus, loadavg } from 'node:os'
import { median } from '../wire/measure.js'
import { connect } from './arcp-client.js'
import { start, within } from './processes.js'

const JOBS = 10_000
const SUBSCRIPTIONS = 20_000
const WORK = 200
/** Messages a second of a job that reports its progress. */
const [SLOW, FAST] = [20, 500]
const RUNS = 100
const RUN_BYTES = 8_000_000
const SMALL_RUNS = 20
/** Longest wait for each step of a measurement. */
const STEP_MS = 60_000
const RAISED = { jobs: JOBS, subscriptions: SUBSCRIPTIONS }

const [wanted] = process.argv.slice(2)
console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`)
if (wanted !== 'cap') await measureArcp()
if (wanted !== 'arcp') await measureCap()

async function measureArcp() {
  const rows = []
  for (const { name, limits, perSecond } of [
    { name: 'nobody' },
    { name: 'default limits', perSecond: 0 },
    { name: `default limits, a job reports ${SLOW} times a second`, perSecond: SLOW },
    { name: `default limits, a job reports ${FAST} times a second`, perSecond: FAST },
    { name: 'raised limits', limits: RAISED, perSecond: 0 },
    { name: `raised limits, a job reports ${SLOW} times a second`, limits: RAISED, perSecond: SLOW },
  ]) {
    progress(`ARCP, user A: ${name}`)
    rows.push({ 'user A': name, ...(await measureArcpLoad(limits, perSecond)) })
  }
  console.log(`\nARCP: ${WORK} jobs of user B beside user A, who tries ${JOBS} jobs and ${SUBSCRIPTIONS} subscriptions`)
  printTable(rows)
}

/** @param perSecond reports of one job of user A. Absent: there is no user A */
async function measureArcpLoad(limits, perSecond) {
  const runtime = await start('./arcp-runtime.js', { limits })
  const flood = perSecond === undefined ? undefined : await start('./arcp-flood.js', { url: runtime.ready.url })
  const outcome = { jobs: '', subscriptions: '' }
  const before = loadavg()[0]
  try {
    if (flood !== undefined) {
      for (const [what, count] of [
        ['jobs', JOBS],
        ['subscriptions', SUBSCRIPTIONS],
      ]) {
        const { accepted, refused } = await within(STEP_MS, flood.ask(what, count), { accepted: '?', refused: '?' })
        outcome[what] = `${accepted} of ${count}`
        progress(`  ${what}: ${accepted} accepted, ${refused} refused`)
      }
      if (perSecond > 0) {
        await runtime.ask('report', perSecond)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
    }
    const work = await measureWork(runtime.ready.url)
    progress(`  user B: ${Object.values(work).join(', ')}`)
    const { live, rss, peak } = await within(STEP_MS, runtime.ask('memory'), { live: '?', rss: '?', peak: '?' })
    const { closed = '', events = '' } = flood ? await within(STEP_MS, flood.ask('counts'), {}) : {}
    return {
      ...outcome,
      ...work,
      'events to A': events,
      'closed by overflow': closed,
      'live MB': live,
      'rss MB': rss,
      'peak MB': peak,
      load: before.toFixed(1),
    }
  } finally {
    await flood?.stop()
    await runtime.stop()
  }
}

/** Jobs of user B: all at once, then one after the other. */
async function measureWork(url) {
  const late = { together: 'late', median: 'late', slowest: 'late' }
  const opened = await within(STEP_MS, connect(url, 'bob'))
  if (opened === undefined) return late
  const began = performance.now()
  for (let n = 0; n < WORK; n++) opened.send('tool.invoke', { tool: 'work', arguments: { n } })
  const all = await within(
    STEP_MS,
    opened.until(['tool.result', 'nack'], WORK).then(() => true),
  )
  if (all === undefined) return { ...late, together: `${opened.count('tool.result')} in ${STEP_MS / 1_000} s` }
  const together = performance.now() - began
  const times = []
  const each = async () => {
    for (let n = 0; n < WORK; n++) {
      const sent = performance.now()
      const id = opened.send('tool.invoke', { tool: 'work', arguments: { n } })
      await opened.message(({ type, correlation_id: answered }) => type === 'tool.result' && answered === id)
      times.push(performance.now() - sent)
    }
  }
  await within(STEP_MS, each())
  opened.close()
  return { together: ms(together), median: ms(median(times)), slowest: ms(Math.max(...times)) }
}

async function measureCap() {
  const rows = []
  for (const { name, maxLiveBytes, runs = RUNS } of [
    { name: 'nobody', runs: 0 },
    { name: 'default limit' },
    { name: 'no limit', maxLiveBytes: Infinity },
  ]) {
    progress(`CAP, user A: ${name}`)
    rows.push({ 'user A': name, ...(await measureCapLoad(maxLiveBytes, runs)) })
  }
  console.log(
    `\nCAP: ${SMALL_RUNS} small answers of user B beside ${RUNS} live answers of ${RUN_BYTES / 1e6} MB of user A, which nobody reads`,
  )
  printTable(rows)
}

async function measureCapLoad(maxLiveBytes, runs) {
  const agent = await start('./agent.js', { maxLiveBytes })
  const before = loadavg()[0]
  const unread = []
  try {
    for (let run = 0; run < runs; run++) unread.push(ask(agent.ready.url, 'ada', String(RUN_BYTES), false))
    const statuses = await within(STEP_MS, Promise.all(unread.map(({ status }) => status)), [])
    const during = await measureSmall(agent.ready.url)
    progress(`  user B meanwhile: ${during}`)
    const settled = async () => {
      for (;;) {
        const { written, discarded } = await agent.ask('counts')
        if (written + discarded >= statuses.filter((status) => status === 200).length) return
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
    await within(STEP_MS, settled())
    const { written, discarded } = await agent.ask('counts')
    const refused = statuses.filter((status) => status !== 200).length
    progress(`  ${written} live, ${discarded} discarded, ${refused} refused`)
    const after = await measureSmall(agent.ready.url)
    progress(`  user B after: ${after}`)
    const { live, rss, peak } = await agent.ask('memory')
    return {
      live: written,
      discarded,
      refused,
      'B meanwhile': during,
      'B after': after,
      'live MB': live,
      'rss MB': rss,
      'peak MB': peak,
      load: before.toFixed(1),
    }
  } finally {
    for (const { abort } of unread) abort()
    await agent.stop()
  }
}

async function measureSmall(url) {
  const times = []
  let failed = 0
  for (let run = 0; run < SMALL_RUNS; run++) {
    const began = performance.now()
    const { status, text } = ask(url, 'bob', '100', true)
    const isWhole = (await status) === 200 && /CLOSE/.test(await within(STEP_MS, text, ''))
    if (isWhole) times.push(performance.now() - began)
    else failed += 1
  }
  const took = times.length === 0 ? '' : `${ms(median(times))}, slowest ${ms(Math.max(...times))}`
  return `${SMALL_RUNS - failed} of ${SMALL_RUNS}: ${took}`
}

/** Sends a request of CAP. One whose answer nobody reads stays open. */
function ask(url, user, text, reads) {
  const id = crypto.randomUUID()
  const body = JSON.stringify({
    request_id: id,
    context: { user_id: user, session_id: 'bench' },
    payload: { query: text },
  })
  const headers = { 'content-type': 'application/json', authorization: user, 'x-request-id': id }
  const sent = request(`${url}/assist`, { method: 'POST', headers, agent: false })
  const answered = new Promise((resolve, reject) => sent.on('response', resolve).on('error', reject))
  answered.catch(() => {})
  sent.end(body)
  return {
    status: answered.then(({ statusCode }) => statusCode),
    text: reads
      ? answered.then(async (response) => {
          let whole = ''
          for await (const chunk of response.setEncoding('utf8')) whole += chunk
          return whole
        })
      : undefined,
    abort: () => sent.destroy(),
  }
}

function ms(value) {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
}

function progress(text) {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)
}

function printTable(rows) {
  const names = Object.keys(rows[0])
  console.log(`\n| ${names.join(' | ')} |\n|${names.map(() => '---|').join('')}`)
  for (const row of rows) console.log(`| ${names.map((name) => row[name] ?? '').join(' | ')} |`)
}
