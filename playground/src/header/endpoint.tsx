import type { ReactNode } from 'react'
import { useState } from 'react'
import { isAgentError } from 'capstan'
import { ARCP_ADDRESS } from '../../server/arcp/arcp-scenarios.ts'
import { protocolOf } from '../../server/scenarios/page-scenario.ts'
import { A2A_ADDRESS, useBench } from '../bench.ts'
import { Glyph } from '../glyph.tsx'
import { GenerationMenu } from '../connection/generation-menu.tsx'
import { toBaseUrl } from '../settings/settings.ts'
import { useStore } from '../store.ts'
import { resolveUrls } from '../wire/inner.ts'

const FIXED = { A2A: A2A_ADDRESS, ARCP: ARCP_ADDRESS } as const

/** Where questions go: editable in place. */
export function Endpoint({ onSettings }: { readonly onSettings: () => void }): ReactNode {
  const bench = useBench()
  const settings = useStore(bench.settings)
  const protocol = protocolOf(useStore(bench.talk).scenario)
  // The agents of other protocols are this page's own, and no others.
  const isFixed = protocol !== 'CAP'
  const address = protocol === 'CAP' ? resolveUrls(settings).assist : FIXED[protocol]
  // While it is being edited the field has its own words.
  const [edited, setEdited] = useState<string | undefined>()
  const [invalid, setInvalid] = useState(false)

  const commit = (): void => {
    if (edited === undefined || isFixed) return
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
      <span className="pg-method">{protocol === 'ARCP' ? 'WS' : 'POST'}</span>
      <input
        className="pg-address"
        aria-label="Address"
        aria-invalid={invalid}
        spellCheck={false}
        autoComplete="off"
        inputMode="url"
        dir="ltr"
        readOnly={isFixed}
        value={isFixed ? address : (edited ?? address)}
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
      {isFixed ? null : <GenerationMenu />}
      <button type="button" className="pg-endpoint-tail" aria-label="Settings" title="Settings" onClick={onSettings}>
        <Glyph name="sliders" />
      </button>
    </form>
  )
}
