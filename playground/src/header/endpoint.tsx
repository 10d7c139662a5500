import type { ReactNode } from 'react'
import { useState } from 'react'
import { isAgentError } from 'capstan'
import { isA2AScenarioId } from '../../server/a2a/a2a-scenarios.ts'
import { A2A_ADDRESS, useBench } from '../bench.ts'
import { Glyph } from '../glyph.tsx'
import { GenerationMenu } from '../connection/generation-menu.tsx'
import { toBaseUrl } from '../settings/settings.ts'
import { useStore } from '../store.ts'
import { resolveUrls } from '../wire/inner.ts'

/** Where questions go: editable in place. */
export function Endpoint({ onSettings }: { readonly onSettings: () => void }): ReactNode {
  const bench = useBench()
  const settings = useStore(bench.settings)
  const overA2A = isA2AScenarioId(useStore(bench.talk).scenario)
  const address = overA2A ? A2A_ADDRESS : resolveUrls(settings).assist
  // While it is being edited the field has words of its own.
  const [edited, setEdited] = useState<string | undefined>()
  const [invalid, setInvalid] = useState(false)

  const commit = (): void => {
    if (edited === undefined || overA2A) return
    const next = { ...settings, baseUrl: toBaseUrl(edited) }
    try {
      bench.createClient(next)
    } catch (error) {
      setInvalid(true)
      bench.problem.set(`${isAgentError(error) ? error.message : 'Invalid address.'} Still using ${address}.`)
      return
    }
    bench.problem.set(undefined)
    if (next.baseUrl !== settings.baseUrl) bench.settings.set(next)
    setEdited(undefined)
    setInvalid(false)
  }

  return (
    <form
      className="pg-endpoint"
      aria-label="Endpoint"
      onSubmit={(event) => {
        event.preventDefault()
        commit()
      }}
    >
      <span className="pg-method">POST</span>
      <input
        className="pg-address"
        aria-label="Address"
        aria-invalid={invalid}
        spellCheck={false}
        autoComplete="off"
        inputMode="url"
        dir="ltr"
        // That agent is this page's own, and no other.
        readOnly={overA2A}
        value={overA2A ? address : (edited ?? address)}
        onChange={(event) => {
          setEdited(event.currentTarget.value)
          setInvalid(false)
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          setEdited(undefined)
          setInvalid(false)
        }}
      />
      {overA2A ? null : <GenerationMenu />}
      <button type="button" className="pg-endpoint-tail" aria-label="Settings" title="Settings" onClick={onSettings}>
        <Glyph name="sliders" />
      </button>
    </form>
  )
}
