'use client'
import type { ReactNode, RefObject } from 'react'
import { useEffect, useId, useState } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { Icon } from '../internals/icon.tsx'
import { IconButton } from '../internals/icon-button.tsx'
import type { TaskStrings } from '../../strings/tasks.ts'
import type { ArtifactContent } from './artifact-content.tsx'
import { WholeContent } from './artifact-content.tsx'
import type { ArtifactVersion } from './use-versions.ts'

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
export function ArtifactPanel(props: ArtifactPanelProps): ReactNode {
  const { panel, name, content, versions, strings: all, isOpen, onToggle } = props
  const strings = all.artifact
  const id = useId()
  useEffect(() => {
    // React 18 hears it of `details` alone.
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
