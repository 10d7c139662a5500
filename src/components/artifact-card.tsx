'use client'
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from 'react'
import { forwardRef, memo, useState } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { iconOfType, Icon } from './internals/icon.tsx'
import { StatusMark } from './internals/status-mark.tsx'
import { OpenLink } from './internals/open-link.tsx'
import { hostOf, safeLink } from '../base/safe-url.ts'

/** The `data-*` attributes of `ArtifactCard`. */
export const artifactCardAttributes = {
  root: {
    selector: '.cs-artifact',
    attributes: {
      'data-state': {
        values: ['writing', 'ready', 'failed', 'unfinished'],
        meaning: 'How far the agent is with it; `unfinished` when the answer ended before it was whole',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof artifactCardAttributes>

export interface ArtifactCardProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The agent's id for it; shown where there is neither a name nor an address. Absent: none. */
  readonly artifactId?: string | undefined
  /** Its address: a link when it is an http, https or mailto address, text when it is not. Absent: none. */
  readonly url?: string | undefined
  /** The media type, shown among its facts; pictures, sound and film have their own glyphs. Absent: none. */
  readonly mimeType?: string | undefined
  /** What the agent calls it, such as `report`. Absent: none. */
  readonly artifactType?: string | undefined
  /** Its file name. @default the end of `url`, else the id */
  readonly name?: string | undefined
  /** Bytes; so far, while it is being written. Absent: none. */
  readonly size?: number | undefined
  /** Which version of it this is. Absent: it has none. */
  readonly version?: number | undefined
  /** Its content as text: adds "Download", as do `bytes` and `data`. Absent: none. */
  readonly text?: string | undefined
  /** Its content in base64. Absent: none. */
  readonly bytes?: string | undefined
  /** Its content as JSON. Absent: none. */
  readonly data?: unknown
  /** How far the agent is with it; `unfinished` when it stopped before it was whole. @default 'ready' */
  readonly state?: 'writing' | 'ready' | 'failed' | 'unfinished' | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly state: NonNullable<ArtifactCardProps['state']> }> | undefined
}

function fileName(url: URL | undefined): string | undefined {
  const last = url?.pathname.split('/').findLast((segment) => segment !== '')
  if (last === undefined) return undefined
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/**
 * Renders a `<div>`: an artifact of the agent, with its name, kind, size and address. Nothing is loaded until the
 * link is followed; content that came with it is saved when "Download" is pressed, and never opened as a page.
 *
 * @example
 * ```tsx
 * import { ArtifactCard } from 'capstan/components'
 *
 * export function Report() {
 *   return <ArtifactCard url="https://files.example/rivers.csv" mimeType="text/csv" size={2048} />
 * }
 * ```
 */
export const ArtifactCard = memo(
  forwardRef<HTMLDivElement, ArtifactCardProps>(function ArtifactCard(props, ref): ReactNode {
    const { artifactId, url, mimeType, artifactType, name, size, version, ...others } = props
    const { text, bytes, data, state = 'ready', render, className, ...rest } = others
    // Bytes that were no base64.
    const [broken, setBroken] = useState<string>()
    const known = broken !== undefined && broken === bytes ? 'failed' : state
    const dictionary = useDictionary()
    const strings = dictionary.artifact
    const link = safeLink(url)
    const facts = [
      artifactType,
      mimeType,
      version !== undefined && strings.version(version),
      size !== undefined && strings.size(size),
      link && hostOf(link),
    ]
    const busy = known === 'writing'
    const title = name ?? fileName(link) ?? artifactId ?? strings.untitled
    const save = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
      try {
        saveFile(
          currentTarget.ownerDocument,
          title,
          bytes ?? text ?? JSON.stringify(data, undefined, 2),
          bytes !== undefined,
        )
      } catch {
        setBroken(bytes)
      }
    }
    const children = (
      <>
        <span className="cs-file-mark">
          <Icon name={iconOfType(mimeType)} size={20} />
        </span>
        <span className="cs-artifact-name">
          <b className="cs-strong cs-clip">
            <bdi>{capMarks(title)}</bdi>
          </b>
          <bdi className="cs-meta cs-text">{capMarks(facts.filter(Boolean).join(' · '))}</bdi>
          {url !== undefined && !link && (
            <span className="cs-meta cs-clip">
              <bdi>{capMarks(url)}</bdi>
              <span>{` (${dictionary.citations.unsafe})`}</span>
            </span>
          )}
        </span>
        {known !== 'ready' && (
          <StatusMark className="cs-artifact-state" icon={busy ? 'spin' : 'alert'}>
            {known === 'unfinished' ? dictionary.progress.unfinished : strings[known]}
          </StatusMark>
        )}
        {!busy && (bytes ?? text ?? data) !== undefined && (
          <button type="button" className="cs-button" data-kind="plain" onClick={save}>
            {strings.download}
          </button>
        )}
        {link && <OpenLink href={link.href}>{strings.open}</OpenLink>}
      </>
    )
    return (
      <Root
        tag="div"
        render={render}
        root={{
          'aria-busy': busy || undefined,
          ...rest,
          className: classNames('cs-part cs-artifact', className),
          'data-state': known satisfies Attributes['data-state'],
          children,
        }}
        state={{ state: known }}
        rootRef={ref}
      />
    )
  }),
)

/** Long enough for every browser to have begun the download. */
const KEEP_MS = 60_000

/** Characters that cannot be in a file name everywhere, and invisible ones, which can hide its real ending. */
const UNFIT = /[\p{C}\u2028\u2029\\/:*?"<>|]/gu

/**
 * Saves content under a name. The type is one that no browser shows: a page out of this content would run as a page of the app.
 *
 * @param page the document in which it was asked for
 * @param content text, or base64
 * @throws DOMException when `base64` is set and `content` is none
 */
function saveFile(page: Document, name: string, content: string, base64: boolean): void {
  const bytes = base64 ? Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)) : content
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = page.createElement('a')
  link.href = url
  link.download = name.replace(UNFIT, '_').replace(/^\.+/, '') || 'file'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS)
}
