'use client'

import type { PromptControls } from '../../../react/use-prompts.ts'
import { type ArcpHookOptions, useArcpClient } from './arcp-provider.tsx'
import { hasSameItems, useArcpView, type ArcpView, type GivenAnswer, storeOf } from './use-arcp-state.ts'
import type { ArcpClient } from '../client/arcp-client.ts'
import { createArcpError } from '../errors.ts'
import type { ArcpPrompt } from '../fold/arcp-state.ts'
import { toPrompt } from '../presentation/job-prompt.ts'
import type { Prompt, PromptAnswer } from '../../../seam/prompt.ts'
import type { AnswerResult } from '../../../state/chat-options.ts'
import { commandResultOf } from './use-arcp-job.ts'

interface Made {
  readonly given: GivenAnswer | undefined
  readonly offsetMs: number
  readonly controls: PromptControls
}

const made = new WeakMap<ArcpClient, WeakMap<ArcpPrompt, Made>>()

/** A prompt of ARCP with the ways to answer it: the same object while nothing of it changes. */
function controlsOf(client: ArcpClient, asked: ArcpPrompt, { answers }: ArcpView): PromptControls {
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

export interface ArcpPromptsOptions extends ArcpHookOptions {
  /** Only those that this job asks. @default those of all jobs */
  readonly jobId?: string | undefined
  /** Also those that have ended, whose state says how: `expired`, `answered-elsewhere`, `withdrawn` and others. @default false */
  readonly ended?: boolean | undefined
}

/**
 * What the jobs of the session ask the user, oldest first, with the ways to answer: the components of prompts take them as
 * `controls`. The list and its items are the same objects until one of them changes.
 *
 * @example
 * ```tsx
 * import { useArcpPrompts } from 'capstan/react'
 * import { PromptCard } from 'capstan/components'
 *
 * export const Questions = () =>
 *   useArcpPrompts().map((controls) => <PromptCard key={controls.prompt.id} controls={controls} />)
 * ```
 */
export function useArcpPrompts({
  client: given,
  jobId,
  ended = false,
}: ArcpPromptsOptions = {}): readonly PromptControls[] {
  const client = useArcpClient(given, 'useArcpPrompts')
  return useArcpView(
    client,
    (view) =>
      [...view.state.prompts.values()]
        .filter((asked) => jobId === undefined || asked.jobId === jobId)
        .filter(({ state }) => ended || state === 'open' || state === 'sent')
        .map((asked) => controlsOf(client, asked, view)),
    hasSameItems,
  )
}
