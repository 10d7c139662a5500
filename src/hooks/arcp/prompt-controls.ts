import type { ArcpClient } from '../../clients/arcp/arcp-client.ts'
import { createArcpError } from '../../protocols/arcp/errors.ts'
import type { ArcpPrompt } from '../../protocols/arcp/fold/arcp-state.ts'
import { toPrompt } from '../../protocols/arcp/presentation/job-prompt.ts'
import type { Prompt, PromptAnswer } from '../../protocols/prompt.ts'
import type { AnswerResult } from '../../state/answer-result.ts'
import type { PromptControls } from '../use-prompts.ts'
import type { ArcpView, GivenAnswer } from './arcp-store.ts'
import { storeOf } from './arcp-store.ts'
import { commandResultOf } from './command-result.ts'

interface Made {
  readonly given: GivenAnswer | undefined
  readonly offsetMs: number
  readonly controls: PromptControls
}

const made = new WeakMap<ArcpClient, WeakMap<ArcpPrompt, Made>>()

/** A prompt of ARCP with the ways to answer it: the same object while nothing of it changes. */
export function controlsOf(client: ArcpClient, asked: ArcpPrompt, { answers }: ArcpView): PromptControls {
  const given = answers.get(asked.id)
  const offsetMs = client.clockOffsetMs
  const ofClient = made.get(client) ?? new WeakMap<ArcpPrompt, Made>()
  made.set(client, ofClient)
  const known = ofClient.get(asked)
  if (known?.given === given && known?.offsetMs === offsetMs) return known.controls
  const controls = createControls(client, neutralPrompt(asked, given, offsetMs))
  ofClient.set(asked, { given, offsetMs, controls })
  return controls
}

function neutralPrompt(asked: ArcpPrompt, given: GivenAnswer | undefined, offsetMs: number): Prompt {
  const { state, errors } = asked
  const isUndecided = state === 'open' || state === 'sent'
  const sent = given?.isUnconfirmed === true ? 'unconfirmed' : 'sending'
  return {
    ...toPrompt(asked, asked.jobId ?? '', offsetMs),
    state: isUndecided ? (state === 'open' ? 'open' : sent) : state,
    errors,
    answerId: given?.answerId,
    answer: given?.answer,
  }
}

function createControls(client: ArcpClient, prompt: Prompt): PromptControls {
  const { id, state, subject, answer, answerId } = prompt
  const send = (given: PromptAnswer, repeated?: string): Promise<AnswerResult> =>
    sendAnswer(client, id, given, repeated)
  return {
    prompt,
    choose: (optionId, edits) =>
      send({ type: 'option', optionId, digest: subject?.digest, ...(edits === undefined ? {} : { edits }) }),
    submit: (value) => send({ type: 'value', value }),
    confirm: () => send({ type: 'done' }),
    decline: (reason) => send({ type: 'decline', reason }),
    cancel: () => send({ type: 'cancel' }),
    repeat: state === 'unconfirmed' && answer !== undefined ? () => send(answer, answerId) : undefined,
  }
}

/** Sends an answer, one at a time for each prompt: what is on its way is not overtaken by another one. */
async function sendAnswer(
  client: ArcpClient,
  promptId: string,
  answer: PromptAnswer,
  repeated: string | undefined,
): Promise<AnswerResult> {
  const store = storeOf(client)
  const before = store.getSnapshot().answers.get(promptId)
  if (before !== undefined && !(before.isUnconfirmed && before.answerId === repeated)) return refused()
  const answerId = repeated ?? client.runs.environment.uuid()
  store.setAnswer(promptId, { answerId, answer, isUnconfirmed: false })
  const told = await commandResultOf(
    client.answer(promptId, answer, answerId),
    'This runtime does not take such an answer.',
  )
  // What was answered stays known where it counts.
  if (told.status === 'unconfirmed') store.setAnswer(promptId, { answerId, answer, isUnconfirmed: true })
  else if (told.status !== 'accepted') store.setAnswer(promptId, undefined)
  return told
}

function refused(): AnswerResult {
  const message = 'Another answer to this prompt is on its way.'
  return {
    status: 'refused',
    error: createArcpError({ kind: 'protocol', code: 'busy', severity: 'FATAL', message }),
  }
}
