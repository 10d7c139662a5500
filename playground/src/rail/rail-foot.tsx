import type { ReactNode } from 'react'
import { useChat, useChatSelector } from '../../../src/react.ts'
import { textOf } from '../../../src/index.ts'
import { useBench } from '../bench.ts'
import { Glyph } from '../glyph.tsx'
import { ThemeSwitch } from '../header/theme-switch.tsx'
import { useStore } from '../store.ts'
import { saveRecording } from '../wire/recording.ts'

interface RailFootProps {
  readonly narrow: boolean
  readonly onRun: () => void
  readonly onSettings: () => void
}

/** Run again, save what came over the wire, and on narrow pages what the header has no room for. */
export function RailFoot({ narrow, onRun, onSettings }: RailFootProps): ReactNode {
  const bench = useBench()
  const { scenario } = useStore(bench.talk)
  const chat = useChat()
  const asked = useChatSelector(({ messages }) => messages.some(({ role }) => role === 'user'))

  const again = (): void => {
    const question = chat.getSnapshot().messages.find(({ role }) => role === 'user')
    bench.begin(scenario, question === undefined ? undefined : textOf(question))
    onRun()
  }
  return (
    <div className="pg-rail-foot">
      <button type="button" className="cs-button" data-kind="primary" data-size="small" disabled={!asked} onClick={again}>
        <Glyph name="play" size={14} />
        Run again
      </button>
      <span className="cs-grow" />
      {narrow && (
        <>
          <ThemeSwitch />
          <button type="button" className="cs-icon-button" data-size="small" aria-label="Settings" title="Settings" onClick={onSettings}>
            <Glyph name="sliders" />
          </button>
        </>
      )}
      <button
        type="button"
        className="cs-icon-button"
        data-size="small"
        aria-label="Save recording"
        title="Save recording"
        disabled={!asked}
        onClick={() => saveRecording({ format: 'capstan-recording', version: 1, scenario, runs: bench.wire.runs() })}
      >
        <Glyph name="download" />
      </button>
    </div>
  )
}
