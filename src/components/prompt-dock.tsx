'use client'

import {
  type ComponentPropsWithoutRef,
  type ForwardedRef,
  type ReactNode,
  forwardRef,
  useImperativeHandle,
  useRef,
  useState,
  useEffect,
  type RefObject,
  useLayoutEffect,
} from 'react'
import { useChatStatus, useChatContext } from '../react/chat-context.ts'
import { usePrompts } from '../react/use-prompts.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { IconButton } from './internals/buttons.tsx'
import { type RenderRoot, classNames, Root } from './internals/part.ts'
import { useLoadAgain, useOnDemand } from './on-demand.ts'
import { PromptCard } from './prompt-card.tsx'
import { PromptStringsProvider, usePromptStrings } from './dictionary/prompt-strings-context.tsx'
import type { Prompt, PromptState } from '../seam/prompt.ts'
import type { PromptStrings } from '../strings/prompts.ts'
import { formIn } from './schema-form/schema-form.tsx'
import { findPrompt } from '../state/prompts.ts'
import { windowOf, focusedElement } from '../base/node-page.ts'

export interface PromptDockProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Words in another language. @default those of the dictionary's language */
  readonly strings?: PromptStrings | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly count: number }> | undefined
}

/**
 * Renders a `<div>`: the prompts of the chat that wait for the user, one card at a time, and a live region that tells when one was
 * answered elsewhere, has expired or was withdrawn. Put it between the transcript and the dock; `<Chat>` does that. While
 * the page is hidden, its title tells how many wait.
 *
 * @example
 * ```tsx
 * import { ChatDock, Composer, PromptDock } from 'capstan/components'
 * import 'capstan/styles.css'
 *
 * export const Dock = () => (
 *   <>
 *     <PromptDock />
 *     <ChatDock><Composer /></ChatDock>
 *   </>
 * )
 * ```
 */
export const PromptDock = forwardRef<HTMLDivElement, PromptDockProps>(function PromptDock(
  { strings, ...props },
  ref,
): ReactNode {
  return (
    <PromptStringsProvider strings={strings}>
      <Dock {...props} dockRef={ref} />
    </PromptStringsProvider>
  )
})

function Dock({
  render,
  className,
  dockRef,
  ...rest
}: Omit<PromptDockProps, 'strings'> & { readonly dockRef: ForwardedRef<HTMLDivElement> }): ReactNode {
  const strings = usePromptStrings()
  const prompts = usePrompts()
  const root = useRef<HTMLDivElement>(null)
  useImperativeHandle(dockRef, () => root.current as HTMLDivElement)
  const [shownId, setShownId] = useState<string>()
  const [lastIndex, setLastIndex] = useState(0)
  const found = prompts.findIndex(({ id }) => id === shownId)
  // The card after one that has ended takes its place.
  const index = found < 0 ? Math.min(lastIndex, prompts.length - 1) : found
  const shown = prompts[index]
  if (index >= 0 && index !== lastIndex) setLastIndex(index)
  if (shown !== undefined && shown.id !== shownId) setShownId(shown.id)
  useTitleMark(root, prompts.length)
  const end = useEndedPrompt(prompts)
  const isBodyLoaded = useBodyOf(shown)
  const show = (at: number): void => setShownId(prompts[at]?.id)

  const position = prompts.length > 1 && (
    <span className="cs-prompt-position">
      <IconButton
        icon="left"
        size={14}
        label={strings.card.previous}
        aria-disabled={index === 0 || undefined}
        onClick={() => show(Math.max(0, index - 1))}
      />
      <span>{strings.card.position(index + 1, prompts.length)}</span>
      <IconButton
        icon="right"
        size={14}
        label={strings.card.next}
        aria-disabled={index === prompts.length - 1 || undefined}
        onClick={() => show(Math.min(prompts.length - 1, index + 1))}
      />
    </span>
  )
  const content = (
    <>
      {shown !== undefined && isBodyLoaded && <KeptFocus key={shown.id} id={shown.id} position={position} />}
      <p className="cs-hidden" role="status">
        {end === undefined ? prompts.length > 1 && strings.dock.count(prompts.length) : strings.dock.ended[end]}
      </p>
    </>
  )
  return (
    <Root
      tag="div"
      render={render}
      root={{
        // Without a prompt it only tells what became of the last one.
        ...(prompts.length > 0 ? { role: 'group', 'aria-label': strings.dock.label } : {}),
        ...rest,
        className: classNames('cs-part cs-prompt-dock', className),
        children: content,
      }}
      state={{ count: prompts.length }}
      rootRef={root}
    />
  )
}

/** Whether a prompt can be shown whole. The fields of forms are loaded when a run starts, as the prompts are. */
function useBodyOf(prompt: Prompt | undefined): boolean {
  const form = formIn(useDictionary().language.lang)
  const isForm = prompt?.kind === 'form'
  const runs = useChatStatus(({ status }) => status !== 'ready' && status !== 'error')
  const code = useOnDemand(form, runs || isForm)
  // Without its fields a form can still be declined.
  const hasFailed = useLoadAgain(form, isForm) !== undefined
  return !isForm || code !== undefined || hasFailed
}

/** A card that hands the focus on when it goes: to the next card, or else to the text box of the composer. */
function KeptFocus({ id, position }: { readonly id: string; readonly position: ReactNode }): ReactNode {
  const card = useRef<HTMLElement>(null)
  useFocusHandover(card, '.cs-prompt, .cs-composer-text')
  return <PromptCard ref={card} promptId={id} position={position} />
}

/** Ends that the user here has not brought about. */
type UnexpectedEnd = 'answered-elsewhere' | 'expired' | 'withdrawn'

function isUnexpected(state: PromptState | undefined): state is UnexpectedEnd {
  return state === 'answered-elsewhere' || state === 'expired' || state === 'withdrawn'
}

/** How the prompt that was removed last ended, if not by an answer given here. Undefined as soon as others wait. */
function useEndedPrompt(prompts: readonly Prompt[]): UnexpectedEnd | undefined {
  const chat = useChatContext()
  const before = useRef<readonly Prompt[]>([])
  const [end, setEnd] = useState<UnexpectedEnd>()
  useEffect(() => {
    const gone = before.current.findLast(({ id }) => prompts.every((prompt) => prompt.id !== id))
    const isNew = prompts.some(({ id }) => before.current.every((prompt) => prompt.id !== id))
    before.current = prompts
    if (gone === undefined && !isNew) return
    const state = gone && findPrompt(chat.getSnapshot().messages, gone.id)?.prompt.state
    setEnd(isUnexpected(state) ? state : undefined)
  }, [chat, prompts])
  return end
}

/** Puts the number of prompts into the title of the page while the page is hidden. A title that the app sets meanwhile stays. */
function useTitleMark(part: RefObject<HTMLElement | null>, count: number): void {
  const { title: withCount } = usePromptStrings().dock
  useEffect(() => {
    if (count === 0) return
    const page = titledPage(part.current)
    let marked: { readonly title: string; readonly before: string } | undefined
    const restore = (): void => {
      if (marked !== undefined && page.title === marked.title) page.title = marked.before
      marked = undefined
    }
    const update = (): void => {
      restore()
      if (page.visibilityState !== 'hidden') return
      const before = page.title
      page.title = withCount(count, before)
      marked = { title: page.title, before }
    }
    update()
    page.addEventListener('visibilitychange', update)
    return () => {
      page.removeEventListener('visibilitychange', update)
      restore()
    }
  }, [part, count, withCount])
}

/** The document whose title is on a tab or a window: that of an iframe is on none. */
function titledPage(part: HTMLElement | null): Document {
  const view = part && windowOf(part)
  return view && view === view.parent ? view.document : document
}

/**
 * Hands the focus on when an element goes that has it.
 *
 * @param selector what gets it: the first in the chat around, or else in the dock of prompts, in the order of the page
 */
export function useFocusHandover(ref: RefObject<HTMLElement | null>, selector: string): void {
  useLayoutEffect(() => {
    const element = ref.current
    const around = element?.closest('.cs-chat') ?? element?.closest('.cs-prompt-dock')
    return () => {
      if (!element?.contains(focusedElement(element))) return
      // What takes its place is there only after it has gone.
      queueMicrotask(() => around?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }))
    }
  }, [ref, selector])
}
