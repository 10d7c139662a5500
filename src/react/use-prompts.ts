'use client'
import { useMemo } from 'react'
import type { Prompt } from '../seam/prompt.ts'
import type { AnswerResult } from '../state/chat-options.ts'
import type { ChatInstance } from '../state/chat.ts'
import type { ChatSnapshot } from '../state/chat-snapshot.ts'
import { awaitedPrompts, findPrompt } from '../state/prompts.ts'
import { useChatOf, useChatStatus } from './chat-context.ts'

export interface PromptsOptions {
  /** Chat to read. @default the chat of the nearest `ChatContext` */
  readonly chat?: ChatInstance | undefined
}

/** A prompt, and the ways to answer it. The functions keep their identity while the prompt is the same object. */
export interface PromptControls {
  readonly prompt: Prompt
  /**
   * Takes one of its options, for exactly the subject that `prompt` shows: when the agent asks for something else by now, the answer is
   * refused.
   *
   * @param edits the input as the user changed it. Absent: unchanged
   */
  choose(optionId: string, edits?: unknown): Promise<AnswerResult>
  /** Gives the value that a form asks for. */
  submit(value: unknown): Promise<AnswerResult>
  /** Says that the user has signed in. */
  confirm(): Promise<AnswerResult>
  /** Says no. The agent continues and knows it. @param reason plain text for the agent. Absent: none */
  decline(reason?: string): Promise<AnswerResult>
  /** Takes back what the agent was asked to do here, without a decision. */
  cancel(): Promise<AnswerResult>
  /** Gives the last answer again, after `unconfirmed`: the agent takes it once. Undefined: there is nothing to repeat. */
  readonly repeat: (() => Promise<AnswerResult>) | undefined
}

/**
 * The prompts that wait for the user, oldest first, those whose answer is on its way included. The array and its items are the same
 * objects until one of them changes.
 *
 * @example
 * ```tsx
 * import { usePrompts } from 'capstan/react'
 *
 * export function Waiting() {
 *   return <p>{usePrompts().length} questions wait for you</p>
 * }
 * ```
 */
export function usePrompts({ chat }: PromptsOptions = {}): readonly Prompt[] {
  return useChatStatus(selectAwaited, { chat, isEqual: hasSameItems })
}

/**
 * One prompt of the chat with the ways to answer it, whatever its state. Undefined: there is no prompt with that id.
 *
 * @example
 * ```tsx
 * import { usePrompt } from 'capstan/react'
 *
 * export function Approval({ id }: { id: string }) {
 *   const approval = usePrompt(id)
 *   if (approval?.prompt.state !== 'open') return null
 *   return <button onClick={() => void approval.choose('allow')}>Send the mail</button>
 * }
 * ```
 */
export function usePrompt(id: string, { chat }: PromptsOptions = {}): PromptControls | undefined {
  const prompt = useChatStatus(({ messages }) => findPrompt(messages, id)?.prompt, { chat })
  const owner = useChatOf(chat)
  return useMemo(() => (prompt === undefined ? undefined : controlsOf(owner, prompt)), [owner, prompt])
}

function selectAwaited({ messages, status }: ChatSnapshot): readonly Prompt[] {
  return awaitedPrompts(messages, status !== 'ready' && status !== 'error').map(({ prompt }) => prompt)
}

function hasSameItems(left: readonly Prompt[], right: readonly Prompt[]): boolean {
  return left.length === right.length && left.every((prompt, index) => prompt === right[index])
}

function controlsOf(chat: ChatInstance, prompt: Prompt): PromptControls {
  const { id, subject, state, answer } = prompt
  return {
    prompt,
    choose: (optionId, edits) =>
      chat.answer(id, {
        type: 'option',
        optionId,
        digest: subject?.digest,
        ...(edits !== undefined && { edits }),
      }),
    submit: (value) => chat.answer(id, { type: 'value', value }),
    confirm: () => chat.answer(id, { type: 'done' }),
    decline: (reason) => chat.answer(id, { type: 'decline', reason }),
    cancel: () => chat.answer(id, { type: 'cancel' }),
    repeat: state === 'unconfirmed' && answer !== undefined ? () => chat.answer(id, answer) : undefined,
  }
}
