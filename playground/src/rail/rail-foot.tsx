import type { ReactNode } from 'react'
import { textOf } from 'capstan'
import { useChatContext, useChatSelector } from 'capstan/react'
import { isArcpScenarioId } from '../../server/arcp/arcp-scenarios.ts'
import { useBench } from '../bench.ts'
import { Button, IconButton } from '../button.tsx'
import { Glyph } from '../glyph.tsx'
import { useStore } from '../store.ts'
import { saveRecording } from '../wire/recording.ts'

interface RailFootProps {
  readonly narrow: boolean
  readonly onRun: () => void
  readonly onSettings: () => void
}

/** Buttons to run again and to save the packets, and on narrow pages those that do not fit into the header. */
export function RailFoot({ narrow, onRun, onSettings }: RailFootProps): ReactNode {
  const bench = useBench()
  const { scenario } = useStore(bench.talk)
  const chat = useChatContext()
  const asked = useChatSelector(({ messages }) => messages.some(({ role }) => role === 'user'))

  const again = (): void => {
    const question = chat.getSnapshot().messages.find(({ role }) => role === 'user')
    bench.begin(scenario, question === undefined ? undefined : textOf(question))
    onRun()
  }
  return (
    <div className="pg-rail-foot">
      <Button kind="primary" size="small" disabled={!asked && !isArcpScenarioId(scenario)} onClick={again}>
        <Glyph name="play" size={14} />
        Run again
      </Button>
      <span className="pg-grow" />
      {narrow && <IconButton glyph="sliders" label="Settings" size="small" onClick={onSettings} />}
      <IconButton
        glyph="download"
        label="Save recording"
        size="small"
        disabled={!asked}
        onClick={() => saveRecording({ format: 'capstan-recording', version: 1, scenario, runs: bench.wire.runs() })}
      />
    </div>
  )
}
