import { event } from 'capstan/server'

const ANSWERS = [
  {
    about: /meander|bend|curve|wind/i,
    source: { source_id: 'bends', uri: 'https://rivers.example/bends', title: 'How bends begin', confidence: 0.92 },
    text: 'Water runs faster along the outer bank of a bend, and wears it away. Along the inner bank it is slow, and drops what it carries. [1] So each bend grows, and with the years it wanders down the valley. The distance from one bend to the next is some ten to fourteen widths of the river, for brooks and for great rivers alike.',
  },
  {
    about: /flood|rain|high water/i,
    source: {
      source_id: 'floods',
      uri: 'https://rivers.example/floods',
      title: 'Where the water goes',
      confidence: 0.88,
    },
    text: 'A flood is a river in its larger bed. The plain beside it was laid down by such days: sand near the banks, fine silt further out. [1] Where the plain is left free, the water spreads, slows down and comes back late, and the towns below see a lower crest.',
  },
  {
    about: /./s,
    source: {
      source_id: 'springs',
      uri: 'https://rivers.example/springs',
      title: 'From spring to sea',
      confidence: 0.81,
    },
    text: 'Most of what a river carries was rain that went into the ground first. It comes out again weeks or years later, in springs and along the banks, which is why rivers run on when it has been dry for a long time. [1] Only a small part of the rain runs straight down the slope.',
  },
]

const ASKS_FOR_ALARM = /alarm|warn me|tell me when/i
const ALARM = { gauge: 'Lower Ferry', aboveMetres: 3 }

const textPart = (text) => ({ type: 'text', id: 'text-1', text })

/** Answers about rivers, and remembers what was said to whom: a page that is opened again shows it. */
export function createRiverAgent({ msPerWord = 45 } = {}) {
  const conversations = new Map()
  const alarms = []
  const keyOf = (visitor, conversation) => `${visitor} ${conversation}`

  async function* agent({ context, payload }, run) {
    const question = String(payload.payload.query)
    const { requestId } = run
    const now = run.clock.date()
    const asked = {
      id: `user-${requestId}`,
      requestId,
      role: 'user',
      status: 'sent',
      createdAt: now,
      parts: [textPart(question)],
    }
    const answer = ASKS_FOR_ALARM.test(question) ? setAlarm(run) : tell(question, run)
    let text = ''
    let cited = []
    for await (const said of answer) {
      if (typeof said === 'string') text += said
      else if (said.type === 'CITATION_BLOCK') cited = said.data.citations
      yield said
    }
    const sources = cited.map(({ source_id: sourceId, ...source }) => ({ sourceId, ...source }))
    const parts = [
      textPart(text),
      ...(sources.length > 0 ? [{ type: 'citations', id: 'sources', citations: sources }] : []),
    ]
    const answered = {
      id: `answer-${requestId}`,
      requestId,
      role: 'assistant',
      status: 'complete',
      createdAt: now,
      endedAt: run.clock.date(),
      parts,
    }
    const key = keyOf(run.user, context.session_id)
    conversations.set(key, [...(conversations.get(key) ?? []), asked, answered])
  }

  async function* tell(question, run) {
    const { source, text } = ANSWERS.find(({ about }) => about.test(question))
    const step = run.uuid()
    yield event('PROGRESS_INDICATOR', { label: 'Reading the river notes', status: 'running' }, { id: step })
    await run.sleep(msPerWord * 8)
    yield event('PROGRESS_INDICATOR', { label: 'Reading the river notes', status: 'complete' }, { id: step })
    yield event('CITATION_BLOCK', { citations: [source] })
    for (const word of text.split(/(?<= )/)) {
      yield word
      await run.sleep(msPerWord)
    }
  }

  /** Does what has an effect only when the visitor allows it: exactly what was shown, and once. */
  async function* setAlarm(run) {
    yield 'I can watch the gauge for you. '
    const answer = await run.ask({
      kind: 'approval',
      message: 'May I set an alarm for this gauge?',
      subject: {
        name: 'set_alarm',
        input: ALARM,
        editable: { type: 'object', properties: { aboveMetres: { type: 'number', minimum: 0, maximum: 9 } } },
      },
    })
    if (answer.type !== 'allowed') {
      yield 'No alarm is set.'
      return
    }
    // The visitor may have stopped the run meanwhile.
    run.signal.throwIfAborted()
    const { gauge, aboveMetres } = answer.input
    alarms.push({ visitor: run.user, gauge, aboveMetres })
    yield `Alarm ${alarms.length} is set: you hear of it when ${gauge} is above ${aboveMetres} m.`
  }

  /** The messages of a conversation, oldest first, as the chat of the page has them. */
  const historyOf = (visitor, conversation) => conversations.get(keyOf(visitor, conversation)) ?? []

  return { agent, historyOf }
}
