// Runs in each page: lets tokens come at a rate, and counts what the reader would notice.
import { SHAPES, history } from './shapes.js'

const TOKEN = 5

/** @param contender `begin(messages, text, box)` shows a thread whose last answer says `text` so far; `push(token)` lets one more token come */
export function expose({ begin, push }) {
  let text = ''
  let at = 0
  globalThis.begin = async ({ shape, size, messages, more }) => {
    text = SHAPES[shape](size + more)
    at = size
    const box = document.querySelector('main')
    await begin(history(messages), text.slice(0, size), box)
    await quiet()
  }
  globalThis.play = async ({ tokens, perSecond, byFrames = false }) => {
    const frames = []
    const longTasks = []
    let commits = 0
    let playing = true
    const changes = new MutationObserver(() => (commits += 1))
    changes.observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true })
    const tasks = new PerformanceObserver((list) =>
      longTasks.push(...list.getEntries().map(({ duration }) => duration)),
    )
    tasks.observe({ type: 'longtask' })
    let last = await frame()
    const begun = last
    const paint = (time) => {
      frames.push(time - last)
      last = time
      if (playing) requestAnimationFrame(paint)
    }
    requestAnimationFrame(paint)
    for (let sent = 0; sent < tokens;) {
      // By frames, a machine that is busy with other work plays slower and not with more tokens a commit.
      const elapsed = byFrames ? frames.length / 60 : (performance.now() - begun) / 1000
      const due = Math.min(tokens, Math.ceil(elapsed * perSecond))
      for (; sent < due; sent += 1, at += TOKEN) push(text.slice(at, at + TOKEN))
      if (byFrames) await frame()
      await new Promise((resolve) => setTimeout(resolve, byFrames ? 0 : 4))
    }
    const seconds = (performance.now() - begun) / 1000
    await quiet()
    playing = false
    for (const { duration } of tasks.takeRecords()) longTasks.push(duration)
    changes.disconnect()
    tasks.disconnect()
    return { commits, seconds, frames, longTasks, end: document.querySelector('main').textContent.slice(-40) }
  }
}

let slow = []

/** The composer has the focus, and every key press that takes longer than a frame is told about. */
globalThis.watchKeys = () => {
  document.querySelector('textarea').focus()
  slow = []
  new PerformanceObserver((list) => slow.push(...pressed(list.getEntries()))).observe({
    type: 'event',
    durationThreshold: 16,
  })
}

globalThis.slowKeys = async () => {
  await quiet()
  return slow
}

const pressed = (entries) => entries.filter(({ name }) => name === 'keydown').map(({ duration }) => duration)

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** All that was begun is on the page. */
async function quiet() {
  await frame()
  await frame()
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 }))
}
