'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo, useRef, useState } from 'react'
import type { ArtifactCardProps } from '../artifact-card/artifact-card.tsx'
import { ArtifactCard } from '../artifact-card/artifact-card.tsx'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { useTaskStrings } from '../dictionary/task-strings-context.tsx'
import { ContentWindow, hasPreview } from './artifact-content.tsx'
import { ArtifactPanel } from './artifact-panel.tsx'
import type { artifactViewAttributes } from './artifact-view-attributes.ts'
import type { ArtifactVersion } from './use-versions.ts'
import { useVersions } from './use-versions.ts'

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

/** The card without an edge of its own. */
const renderRow: RenderRoot<unknown> = (row) => <div {...row} className="cs-artifact-row" />

/**
 * Renders a `<div>`: something the agent made, as an `ArtifactCard` that also shows what is in it. Text grows in a window of fixed
 * height while it is written; "View" opens all of it beside the conversation, with its earlier versions. Markdown is shown as rich text,
 * other text and data as they are. Bytes and addresses are only saved and opened, as an `ArtifactCard` does.
 *
 * @example
 * ```tsx
 * import { ArtifactView } from 'capstan/tasks'
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
