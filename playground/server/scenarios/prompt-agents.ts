import * as z from 'zod/mini'
import type { Agent, AgentRun, ApprovalAsk, ApprovalResult, FieldError } from '../../../src/server.ts'
import { close, event, onStream } from '../../../src/server.ts'
import type { Pace } from '../pace.ts'
import { pause, speak, speakUntilSaid } from '../pace.ts'
import { riverAnswer, riverDiary } from './river-prose.ts'
import { SIGN_IN_ADDRESS } from './sign-in-page.ts'

/** Twenty seconds at the natural pace: long enough to read it, short enough to wait for it. */
const EXPIRES_STEPS = 77
/** Eight seconds. */
const WITHDRAWN_STEPS = 31
/** Nobody answers a choice for so long: the usual one is taken. */
const DEFAULT_MS = 120_000
const PERMITTED_MS = 15 * 60_000
const HIGHEST_GAUGE_M = 9
const DIARY_DAYS = 96

const BOOKING = { boat: 'Otter', pier: 'Lower Ferry', hours: 3, note: 'Bring the long pole.' }

const EDITABLE_BOOKING = {
  type: 'object',
  properties: {
    hours: { type: 'integer', title: 'Hours', minimum: 1, maximum: 8 },
    note: { type: 'string', title: 'Note for the skipper', maxLength: 200 },
  },
} as const

const READING = {
  type: 'object',
  required: ['station', 'level_m', 'date'],
  properties: {
    station: { type: 'string', title: 'Station', minLength: 2, maxLength: 40 },
    level_m: {
      type: 'number',
      title: 'Level',
      description: 'Metres above the zero of the gauge.',
      minimum: 0,
      maximum: 20,
    },
    date: { type: 'string', title: 'Date', format: 'date' },
    trend: { type: 'string', title: 'Trend', enum: ['falling', 'steady', 'rising'] },
    flooded: { type: 'boolean', title: 'The meadow is under water' },
  },
} as const

const checkedReading = z.object({
  station: z
    .string('Name a station.')
    .check(z.trim(), z.minLength(2, 'Name a station.'), z.maxLength(40, 'That is too long.')),
  level_m: z.number('Give a level in metres.').check(z.minimum(0, 'A level is 0 m or more.')),
  date: z.iso.date('Give a date.'),
})

type Reading = z.infer<typeof checkedReading>

/** The agents that ask: one for each kind of prompt, and those whose commands meet a fault on their way; see control-faults.ts. */
export function createPromptAgents(pace: Pace) {
  /** Asks whether the boat may be booked, and books it if so. */
  async function* book(run: AgentRun, asked: Partial<ApprovalAsk<typeof BOOKING>> = {}): AsyncGenerator<Output, void> {
    yield* speak('The survey boat is free tomorrow. Booking it costs money, so I ask first.', run, pace)
    const id = run.uuid()
    const call = (input: unknown, more: object): Output =>
      event('TOOL_CALL', { name: 'boats.book', arguments: input, ...more }, { id })
    yield call(BOOKING, { status: 'waiting' })
    const answer: ApprovalResult<typeof BOOKING> = await run.ask({
      kind: 'approval',
      message: 'May I book the survey boat?',
      subject: { name: 'boats.book', input: BOOKING, editable: EDITABLE_BOOKING, toolCallId: id },
      ...asked,
    })
    if (answer.type === 'allowed') {
      yield call(answer.input, { status: 'running' })
      await pause(run, pace.stepMs * 4)
      yield call(answer.input, { result: { booking: 'B-1071', hours: answer.input.hours } })
      const changed = answer.edited ? ', as you changed it' : ''
      yield* speak(
        `\n\nBooked: ${answer.input.boat} for ${hours(answer.input.hours)}${changed}. The booking is B-1071.`,
        run,
        pace,
      )
    } else {
      yield call(BOOKING, { status: 'denied' })
      yield* speak(`\n\n${WHY_NOT[answer.type]} Nothing is booked.`, run, pace)
    }
  }

  const approval: Agent = (_request, run) => book(run)

  const form: Agent = async function* (_request, run) {
    yield* speak('I can file a reading for you.', run, pace)
    const answer = await run.ask<Reading>({
      kind: 'form',
      message: 'Which reading shall I file?',
      schema: READING,
      initial: { station: 'Lower Ferry', trend: 'steady', flooded: false },
      validate: checkReading,
    })
    yield* answer.type === 'value'
      ? speak(`\n\nFiled: ${answer.value.level_m} m at ${answer.value.station} on ${answer.value.date}.`, run, pace)
      : speak(`\n\n${WHY_NOT[answer.type]} No reading is filed.`, run, pace)
  }

  return {
    approval,
    form,
    'answer-lost': approval,
    'answer-refused': approval,
    async *steer(_request, run) {
      let said: string | undefined
      do {
        const text: string = said === undefined ? riverDiary(DIARY_DAYS) : `\n\n${riverAnswer(said)}`
        said = yield* speakUntilSaid(text, run, pace)
      } while (said !== undefined)
    },
    'stop-left': (_request, run) => countLevels(run, pace),

    async *choice(_request, run) {
      yield* speak('There are several rivers of that name.', run, pace)
      const answer = await run.ask({
        kind: 'choice',
        message: 'Which Avon do you mean?',
        options: AVONS.map(({ id, label, description }) => ({ id, label, description, kind: 'neutral' })),
        default: 'bristol',
        expiresInMs: DEFAULT_MS,
      })
      if (answer.type !== 'chosen') {
        yield* speak(`\n\n${WHY_NOT[answer.type]} Ask again with the name of a town on it.`, run, pace)
        return
      }
      const because = answer.byDefault ? 'You did not say, so I take the longest one. ' : ''
      yield* speak(`\n\n${because}${AVONS.find(({ id }) => id === answer.option.id)?.tells ?? ''}`, run, pace)
    },

    async *'sign-in'(_request, run) {
      yield* speak('The levels of the authority are for people with an account.', run, pace)
      const url = new URL(SIGN_IN_ADDRESS, run.url.origin).href
      const answer = await run.ask({ kind: 'sign-in', message: 'Sign in to the gauges of the authority.', url })
      yield* answer.type === 'signed-in'
        ? speak('\n\nThank you. It stands at 2.14 m, four centimetres less than yesterday.', run, pace)
        : speak(`\n\n${WHY_NOT[answer.type]} Without an account I cannot read them.`, run, pace)
    },

    async *permission(_request, run) {
      yield* speak('I need the gauges of the lower reach, now and for what you ask next.', run, pace)
      const answer = await run.ask({
        kind: 'permission',
        message: 'May I read the gauges of the lower reach?',
        subject: { name: 'gauges.read', input: { reach: 'lower', stations: 12 } },
        options: [
          { id: 'once', label: 'This time', kind: 'allow-once' },
          {
            id: 'minutes',
            label: 'For 15 minutes',
            kind: 'allow-always',
            grants: 'Read all 12 gauges of the lower reach.',
            ttlMs: PERMITTED_MS,
          },
          {
            id: 'always',
            label: 'Always',
            kind: 'allow-always',
            grants: 'Read all 12 gauges of the lower reach, in every conversation.',
          },
          { id: 'no', label: 'Not now', kind: 'reject-once' },
          { id: 'never', label: 'Never', kind: 'reject-always' },
        ],
      })
      yield* answer.type === 'allowed'
        ? speak('\n\nAll 12 gauges are below their marks; the highest is Lower Ferry with 2.14 m.', run, pace)
        : speak(`\n\n${WHY_NOT[answer.type]} I leave the gauges alone.`, run, pace)
    },

    async *'several-prompts'(_request, run) {
      yield* speak('Three things need your word before the survey.', run, pace)
      const group = run.uuid()
      const jobs = ['boats.book', 'crew.call', 'harbour.notify']
      const answers = await Promise.all(
        jobs.map(async (name) =>
          run.ask({
            kind: 'approval',
            message: `May I run ${name}?`,
            group,
            subject: { name, input: { day: 'tomorrow' } },
          }),
        ),
      )
      const allowed = jobs.filter((_, at) => answers[at]?.type === 'allowed')
      yield* speak(`\n\nDone: ${allowed.length === 0 ? 'nothing' : allowed.join(', ')}.`, run, pace)
    },

    'prompt-expired': (_request, run) => book(run, { expiresInMs: Math.max(1, pace.stepMs * EXPIRES_STEPS) }),

    async *'prompt-withdrawn'(_request, run) {
      yield* speak('Somebody else may be faster than you.', run, pace)
      const asked = run
        .ask({
          kind: 'approval',
          message: 'May I book the survey boat?',
          subject: { name: 'boats.book', input: BOOKING },
          stream: DESK,
        })
        .then(
          ({ type }) => type,
          () => 'withdrawn' as const,
        )
      const gone = pause(run, pace.stepMs * WITHDRAWN_STEPS).then(() => 'taken' as const)
      const how = await Promise.race([asked, gone])
      yield onStream(DESK, close())
      yield* how === 'taken'
        ? speak('\n\nThe boat was just booked by another crew, so I take my question back.', run, pace)
        : speak(`\n\n${how === 'allowed' ? 'You were faster: it is booked.' : 'Nothing is booked.'}`, run, pace)
    },
  } as const satisfies Readonly<Record<string, Agent>>
}

type Output = ReturnType<typeof event> | string

const DESK = 'booking desk'

const WHY_NOT = {
  refused: 'You said no.',
  declined: 'You said no.',
  cancelled: 'You dismissed the question.',
  expired: 'Nobody answered in time.',
} as const

const AVONS = [
  {
    id: 'bristol',
    label: 'Bristol Avon',
    description: 'Through Bath and Bristol to the Severn',
    tells: 'The Bristol Avon is about 134 km long and passes Bath before it reaches the Severn.',
  },
  {
    id: 'warwickshire',
    label: 'Warwickshire Avon',
    description: 'Through Stratford',
    tells: 'The Warwickshire Avon is about 154 km long; Stratford stands on it.',
  },
  {
    id: 'hampshire',
    label: 'Hampshire Avon',
    description: 'Through Salisbury to the Channel',
    tells: 'The Hampshire Avon is about 96 km long, and its upper water comes out of chalk.',
  },
] as const

/** What a client sends is any JSON. */
function checkReading(value: unknown): readonly FieldError[] {
  const found = checkedReading.safeParse(value)
  if (!found.success)
    return found.error.issues.map(({ path, message }) => ({
      path: path.map((part) => `/${String(part)}`).join(''),
      message,
    }))
  return found.data.level_m > HIGHEST_GAUGE_M
    ? [{ path: '/level_m', message: `The gauge ends at ${HIGHEST_GAUGE_M} m. Is that in decimetres?` }]
    : []
}

function hours(count: number): string {
  return `${count} hour${count === 1 ? '' : 's'}`
}

/** Works until it is stopped. */
async function* countLevels(run: AgentRun, pace: Pace): AsyncGenerator<string, void> {
  yield* speak('I read one gauge after the other:', run, pace)
  for (let station = 1; station <= 400; station++) {
    yield `\n${station}. 2.${String((station * 37) % 100).padStart(2, '0')} m`
    await pause(run, pace.stepMs)
  }
}
