import { backoff } from '../../../src/base/backoff.ts'
import { A2AClient } from '../../../src/protocols/a2a/client/a2a-client.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { CapturableChat } from '../../../src/state/chat-options.ts'
import type { ChatState } from '../../../src/state/chat-snapshot.ts'
import { createMemoryAgent } from '../../support/a2a/memory-agent.ts'
import { settle } from '../../support/manual-clock.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'
import type { A2ARound, A2ASchedule } from './a2a-schedule.ts'

/** Every wait of a schedule together is shorter than this. */
const LONG_MS = 400_000

/** A promise that was broken, in a sentence. */
class Broken extends Error {}

function must(isKept: boolean, words: string): void {
  if (!isKept) throw new Broken(words)
}

/**
 * Plays a schedule in virtual time. At each moment what is shown is the beginning of what an artifact holds or held, no prompt is there
 * twice, and no message was sent twice; in the end all of it is shown, and nothing is open.
 *
 * @returns how often each step and outcome was met
 */
export async function playA2A(schedule: A2ASchedule): Promise<ReadonlyMap<string, number>> {
  const met = new Map<string, number>()
  const count = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1)
  const environment = createManualEnvironment()
  const agent = createMemoryAgent()
  const client = new A2AClient({
    transport: agent.transport,
    environment,
    streaming: schedule.streaming ? undefined : false,
    retry: backoff({ maxAttempts: 12 }),
  })
  const open = (initialState?: ChatState): CapturableChat =>
    createChat({ client: () => client, conversationId: 'c1', initialState })
  let chat = open()
  /** All that each artifact held, as texts: one more for each time it was replaced. */
  const versions = new Map<string, string[]>()
  let posts = 0
  let answers = 0

  const sent = (): number => agent.calls.filter((call) => call.startsWith('Send')).length
  const answer = () => chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')
  const texts = (): string =>
    (answer()?.parts ?? []).reduce((all, part) => (part.type === 'text' ? all + part.text : all), '')

  function check(): void {
    const { messages, warnings } = chat.getSnapshot()
    must(sent() <= posts, `${sent()} messages were sent, and ${posts} were said`)
    must(
      warnings.every(({ severity }) => severity === 'WARNING'),
      'a warning is none',
    )
    const ids: string[] = []
    for (const { role, parts } of messages) {
      if (role !== 'assistant') continue
      let text = ''
      for (const part of parts) {
        if (part.type === 'prompt') ids.push(part.id)
        if (part.type === 'text') text += part.text
        if (part.type === 'artifact')
          must(
            (versions.get(part.artifactId ?? '') ?? []).some((version) => version.startsWith(part.text ?? '')),
            `«${part.text}» is no beginning of the artifact ${part.artifactId}`,
          )
      }
      must(
        ['', 'The end.'].includes(text) || [...versions.values()].flat().some((version) => version.startsWith(text)),
        `«${text}» is no beginning of any artifact`,
      )
    }
    must(new Set(ids).size === ids.length, `a prompt is shown twice: ${ids.join(', ')}`)
  }

  async function pass(ms: number): Promise<void> {
    await environment.clock.advance(ms)
    await settle()
    environment.paint()
    check()
  }

  function say(artifact: string, text: string, append: boolean): void {
    if (append) agent.append(artifact, text)
    else
      agent.tell({
        artifactUpdate: { taskId: agent.task.id, artifact: { artifactId: artifact, parts: [{ text }] }, append: false },
      })
    const known = versions.get(artifact) ?? []
    const last = known.at(-1)
    if (append && last !== undefined) known[known.length - 1] = last + text
    else known.push(text)
    versions.set(artifact, known)
  }

  async function reload(): Promise<void> {
    const state = chat.capture()
    await chat.disconnect()
    chat = open(state)
    void chat.resume()
    await pass(0)
  }

  /** Says something, and does what the round says. False: it may have arrived, and that is where it ends. */
  async function play({ post, steps }: A2ARound, speak: () => void): Promise<boolean> {
    agent.postFaults.push(schedule.streaming ? post : undefined)
    const before = agent.messages.length
    posts += 1
    speak()
    // What sends an answer is loaded on demand, the first time from the disk.
    for (let turn = 0; turn < 500 && sent() < posts; turn++) {
      if (turn > 3) await new Promise((resolve) => setTimeout(resolve, 5))
      await pass(0)
    }
    await pass(0)
    if (schedule.streaming && post !== undefined) count(`post ${post}`)
    if (agent.messages.length === before) {
      await pass(LONG_MS)
      must(chat.getSnapshot().error?.code === 'delivery_unknown', 'a message that did not arrive is not called so')
      await reload()
      await pass(LONG_MS)
      must(agent.messages.length === before, 'a message was sent again')
      count('delivery unknown')
      return false
    }
    for (const [at, each] of steps.entries()) {
      count(each.do)
      if (each.do === 'append' || each.do === 'replace') say(each.artifact, `[${posts}.${at}] `, each.do === 'append')
      else if (each.do === 'working') agent.status('WORKING', `Step ${at}`, `w${posts}.${at}`)
      else if (each.do === 'sign-in') agent.status('AUTH_REQUIRED', 'Sign in.', `s${posts}.${at}`)
      else if (each.do === 'noise') agent.send({ noise: at })
      else if (each.do === 'cut') agent.cut(each.how)
      else if (each.do === 'mute') agent.mute()
      else if (each.do === 'reload') await reload()
      else if (each.do === 'cut-after-snapshot') agent.cutsAfterSnapshot = true
      else if (each.do === 'listen-again') agent.cutsAfterSnapshot = false
      else if (each.do === 'wait' && !agent.cutsAfterSnapshot) await pass(each.ms)
      if (at % 3 === 0) await pass(0)
    }
    agent.cutsAfterSnapshot = false
    await pass(0)
    return true
  }

  async function finish(): Promise<ReadonlyMap<string, number>> {
    check()
    must(agent.streams === 0 && agent.pending === 0, 'something is still open')
    await chat.dispose()
    return met
  }

  if (!(await play(schedule.first, () => void chat.sendMessage('Why?')))) return finish()
  if (schedule.second !== undefined) {
    agent.status('INPUT_REQUIRED', 'Which river?', 'question')
    await pass(LONG_MS)
    must(chat.getSnapshot().status === 'awaiting-input', 'the question is not asked')
    count('asked')
    answers += 1
    const isAnswered = await play(
      schedule.second,
      () => void chat.answer('question', { type: 'value', value: { reply: 'The Loire' } }),
    )
    if (!isAnswered) return finish()
  }
  agent.status(schedule.end, 'The end.', 'end')
  await pass(LONG_MS)
  const { status, connection } = chat.getSnapshot()
  const isFailed = schedule.end === 'FAILED' || schedule.end === 'REJECTED'
  must(connection.phase === (isFailed ? 'failed' : 'closed'), `the connection is ${connection.phase} in the end`)
  const expected = isFailed ? 'error' : schedule.end === 'INPUT_REQUIRED' ? 'awaiting-input' : 'ready'
  must(status === expected, `the chat is ${status} in the end, and not ${expected}`)
  must(agent.messages.length === 1 + answers, `${agent.messages.length} messages arrived`)
  checkWhole()
  count(`end ${schedule.end}`)
  return finish()

  /** Each artifact that changed since the last message is shown in the last answer, whole and in its own part. */
  function checkWhole(): void {
    const own = `[${posts}.`
    const told = [...versions].flatMap(([id, all]) => {
      const text = all.at(-1) ?? ''
      return text.includes(own) ? [{ id, text }] : []
    })
    // The order is that of the task, in which artifacts of the round before are first.
    const order = (agent.task.artifacts ?? []).map(({ artifactId }) => artifactId)
    const [reply, ...others] = told.toSorted((one, two) => order.indexOf(one.id) - order.indexOf(two.id))
    const end = schedule.end === 'COMPLETED' && reply === undefined ? 'The end.' : ''
    must(texts() === (reply?.text ?? end), `«${texts()}» is shown in the end, and not «${reply?.text ?? end}»`)
    const files = (answer()?.parts ?? []).flatMap((part) => (part.type === 'artifact' ? [part.text ?? ''] : []))
    must(
      JSON.stringify(files) === JSON.stringify(others.map(({ text }) => text)),
      `the artifacts ${JSON.stringify(files)} are shown in the end, and not ${JSON.stringify(others)}`,
    )
  }
}
