'use client'
import type { ComponentPropsWithoutRef, ReactNode, RefObject } from 'react'
import { forwardRef, memo, useRef, useState, useEffect, useId } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { ArtifactCardProps } from './artifact-card.tsx'
import { ArtifactCard } from './artifact-card.tsx'
import { DataBlock } from './data-block.tsx'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { IconButton } from './internals/buttons.tsx'
import { Icon } from './internals/icon.tsx'
import { ShowMore } from './internals/folding.tsx'
import { useTaskStrings } from './dictionary/task-strings-context.tsx'
import { MarkdownBlock } from './markdown-block/markdown-block.tsx'
import type { TaskStrings } from '../strings/tasks.ts'

/** The `data-*` attributes of `ArtifactView`. */
export const artifactViewAttributes = {
  root: {
    selector: '.cs-artifact-view',
    attributes: {
      'data-state': {
        values: ['writing', 'ready', 'failed', 'unfinished'],
        meaning: 'How far the agent is with it; `unfinished` when the answer ended before it was whole',
      },
    },
  },
  row: {
    selector: '.cs-artifact-row',
    internal: true,
    attributes: {
      'data-state': { values: ['writing', 'ready', 'failed', 'unfinished'], meaning: 'As that of the root' },
    },
  },
  window: {
    selector: '.cs-artifact-window',
    internal: true,
    attributes: { 'data-end': { values: 'present', meaning: 'It shows the end' } },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof artifactViewAttributes>

export interface ArtifactViewProps
  extends
    Omit<ComponentPropsWithoutRef<'div'>, 'children'>,
    Pick<
      ArtifactCardProps,
      | 'artifactId'
      | 'url'
      | 'mimeType'
      | 'artifactType'
      | 'name'
      | 'size'
      | 'version'
      | 'text'
      | 'bytes'
      | 'data'
      | 'state'
    > {
  /** Earlier versions with what they held, to choose from in the panel beside those that were shown here before. @default [] */
  readonly versions?: readonly ArtifactVersion[] | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly state: NonNullable<ArtifactCardProps['state']> }> | undefined
}

const NONE: readonly ArtifactVersion[] = []

/** The card without its own edge. */
const renderRow: RenderRoot<unknown> = (row) => <div {...row} className="cs-artifact-row" />

/**
 * Renders a `<div>`: something the agent made, as an `ArtifactCard` that also shows what is in it. Text grows in a window of fixed
 * height while it is written; "View" opens all of it beside the conversation, with its earlier versions. Markdown is shown as rich text,
 * other text and data as they are. Bytes and addresses are only saved and opened, as an `ArtifactCard` does.
 *
 * @example
 * ```tsx
 * import { ArtifactView } from 'capstan/components'
 *
 * export function Report({ text, isDone }: { text: string; isDone: boolean }) {
 *   return <ArtifactView name="bends.md" mimeType="text/markdown" text={text} state={isDone ? 'ready' : 'writing'} />
 * }
 * ```
 */
export const ArtifactView = memo(
  forwardRef<HTMLDivElement, ArtifactViewProps>(function ArtifactView(props, ref): ReactNode {
    const { artifactId, url, mimeType, artifactType, name, size, version, text, bytes, data, ...others } = props
    const { state = 'ready', versions: given = NONE, render, className, ...rest } = others
    const strings = useTaskStrings()
    const content = { text, data, mimeType }
    const versions = useVersions(content, version, given)
    const panel = useRef<HTMLDialogElement>(null)
    const [isOpen, setIsOpen] = useState(false)
    if (strings === undefined) return null
    const isShown = hasPreview(content)
    const children = (
      <>
        <ArtifactCard
          artifactId={artifactId}
          url={url}
          mimeType={mimeType}
          artifactType={artifactType}
          name={name}
          size={size}
          version={version}
          text={text}
          bytes={bytes}
          data={data}
          state={state}
          render={renderRow}
        />
        {isShown && (
          <>
            <ContentWindow content={content} isWriting={state === 'writing'} />
            <p className="cs-artifact-foot">
              <button
                type="button"
                className="cs-button"
                data-kind="plain"
                data-size="small"
                aria-haspopup="dialog"
                aria-expanded={isOpen}
                onClick={() => panel.current?.togglePopover()}
              >
                {strings.artifact.view}
              </button>
            </p>
            <ArtifactPanel
              panel={panel}
              name={name ?? artifactId ?? strings.artifact.content}
              content={content}
              versions={versions}
              strings={strings}
              isOpen={isOpen}
              onToggle={setIsOpen}
            />
          </>
        )}
      </>
    )
    return (
      <Root
        tag="div"
        render={render}
        root={{
          ...rest,
          className: classNames('cs-part cs-artifact-view', className),
          'data-state': state satisfies Attributes['data-state'],
          children,
        }}
        state={{ state }}
        rootRef={ref}
      />
    )
  }),
)

interface ArtifactPanelProps {
  readonly panel: RefObject<HTMLDialogElement | null>
  readonly name: string
  readonly content: ArtifactContent
  readonly versions: readonly ArtifactVersion[]
  readonly strings: TaskStrings
  /** Whether it is open; its content is not laid out before. */
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
}

/**
 * All of an artifact beside the conversation, which stays in use; a sheet at the lower edge on narrow screens. A native dialog with
 * `popover`: Escape, the back gesture and a press elsewhere close it, and the focus goes back.
 */
function ArtifactPanel(props: ArtifactPanelProps): ReactNode {
  const { panel, name, content, versions, strings: all, isOpen, onToggle } = props
  const strings = all.artifact
  const id = useId()
  useEffect(() => {
    // React 18 handles it on `details` only.
    const note = ({ newState }: ToggleEvent): void => onToggle(newState === 'open')
    const dialog = panel.current
    dialog?.addEventListener('toggle', note)
    return () => dialog?.removeEventListener('toggle', note)
  }, [panel, onToggle])
  const [chosen, setChosen] = useState<number>()
  const latest = versions.at(-1)?.version
  const shown = versions.find(({ version }) => version === chosen) ?? content
  return (
    <dialog ref={panel} aria-label={name} popover="auto" className="cs-part cs-artifact-panel">
      <p className="cs-artifact-panel-head">
        <b className="cs-strong cs-clip cs-grow">
          <bdi>{capMarks(name)}</bdi>
        </b>
        {versions.length > 1 && (
          <>
            <label className="cs-meta" htmlFor={id}>
              {strings.version}
            </label>
            <span className="cs-artifact-select">
              <select
                id={id}
                className="cs-artifact-choice"
                value={chosen ?? latest}
                onChange={({ target }) => setChosen(Number(target.value))}
              >
                {versions.toReversed().map(({ version }) => (
                  <option key={version} value={version}>
                    {version === latest ? strings.latest(version) : strings.earlier(version)}
                  </option>
                ))}
              </select>
              <Icon name="chevron" size={14} />
            </span>
          </>
        )}
        <IconButton
          icon="x"
          size={20}
          label={strings.close}
          onClick={({ currentTarget }) => currentTarget.closest('dialog')?.hidePopover()}
        />
      </p>
      {/* What scrolls can be reached by the keyboard. */}
      <div className="cs-artifact-body" role="region" aria-label={strings.content} tabIndex={0}>
        {isOpen && <WholeContent content={shown} strings={all} />}
      </div>
    </dialog>
  )
}

type WindowAttributes = AttributesOf<typeof artifactViewAttributes, 'window'>

/** What an artifact holds. */
export interface ArtifactContent {
  readonly text?: string | undefined
  readonly data?: unknown
  readonly mimeType?: string | undefined
}

/** Characters that are laid out at a time: a browser takes some ten milliseconds for them. */
const MOST_CHARACTERS = 50_000

/** Whether it is something that can be shown, and not only saved. */
function hasPreview({ text, data }: ArtifactContent): boolean {
  return text !== undefined || data !== undefined
}

function isMarkdown(mimeType: string | undefined): boolean {
  return /^text\/(?:x-)?markdown\b/.test(mimeType ?? '')
}

/** All of an artifact: markdown as rich text, other text as it is, data as JSON. Nothing in it is run, and nothing is loaded unasked. */
function WholeContent({
  content: { text, data, mimeType },
  strings,
}: {
  readonly content: ArtifactContent
  readonly strings: TaskStrings
}): ReactNode {
  const [limit, setLimit] = useState(MOST_CHARACTERS)
  if (text === undefined)
    return data === undefined ? <p className="cs-meta">{strings.artifact.noPreview}</p> : <DataBlock data={data} />
  const left = text.length - limit
  return (
    <>
      {isMarkdown(mimeType) && left <= 0 ? (
        <MarkdownBlock content={text} />
      ) : (
        <pre className="cs-artifact-text" dir="auto">
          {capMarks(text.slice(0, limit))}
        </pre>
      )}
      {left > 0 && <ShowMore left={left} onShow={() => setLimit(limit + MOST_CHARACTERS)} />}
    </>
  )
}

/** Enough for the window at any width. */
const WINDOW_CHARACTERS = 4_000

/** A window of fixed height: the beginning of what is whole, the end of what is being written. */
function ContentWindow({
  content: { text, data },
  isWriting,
}: {
  readonly content: ArtifactContent
  readonly isWriting: boolean
}): ReactNode {
  const all = text ?? JSON.stringify(data, undefined, 2) ?? ''
  return (
    <pre
      className="cs-artifact-text cs-artifact-window"
      dir="auto"
      data-end={(isWriting ? '' : undefined) satisfies WindowAttributes['data-end']}
      aria-hidden="true"
    >
      <span>
        <span>{capMarks(isWriting ? all.slice(-WINDOW_CHARACTERS) : all.slice(0, WINDOW_CHARACTERS))}</span>
        {isWriting && <span className="cs-caret" />}
      </span>
    </pre>
  )
}

/** A version of an artifact, with what it held. */
export interface ArtifactVersion extends ArtifactContent {
  readonly version: number
}

/** Earlier versions that are kept. */
const MOST_KEPT = 20

/**
 * The versions of an artifact, oldest first, the newest last: those that are given, and those that were shown here before. Without a
 * version there is one content only.
 */
function useVersions(
  content: ArtifactContent,
  version: number | undefined,
  given: readonly ArtifactVersion[],
): readonly ArtifactVersion[] {
  const [latest, setLatest] = useState({ content, version })
  const [seen, setSeen] = useState<readonly ArtifactVersion[]>([])
  const { content: before, version: number } = latest
  const isChanged =
    number !== version ||
    before.text !== content.text ||
    before.data !== content.data ||
    before.mimeType !== content.mimeType
  if (isChanged) {
    setLatest({ content, version })
    // The first version often has no number: it gets one with the second.
    const old = number ?? 1
    if (version !== undefined && old < version && (before.text ?? before.data) !== undefined)
      setSeen([...seen, { ...before, version: old }].slice(-MOST_KEPT))
  }
  if (version === undefined) return []
  const earlier = new Map([...seen, ...given].map((each) => [each.version, each]))
  earlier.delete(version)
  return [...[...earlier.values()].toSorted((one, other) => one.version - other.version), { ...content, version }]
}
