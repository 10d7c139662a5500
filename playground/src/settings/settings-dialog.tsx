import type { ReactNode } from 'react'
import { useState } from 'react'
import type { CapClient } from '../../../src/cap.ts'
import { isAgentError } from '../../../src/index.ts'
import { useBench } from '../bench.ts'
import { Glyph } from '../glyph.tsx'
import { useModal } from '../use-modal.ts'
import { HealthPill } from './health-pill.tsx'
import type { Settings } from './settings.ts'
import { toBaseUrl } from './settings.ts'

interface SettingsDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** Where the agent is and how patient the client is. */
export function SettingsDialog({ open, onClose }: SettingsDialogProps): ReactNode {
  const dialog = useModal(open)
  return (
    <dialog ref={dialog} className="pg-dialog" aria-labelledby="pg-settings-title" onClose={onClose}>
      {open && <SettingsForm onClose={onClose} />}
    </dialog>
  )
}

function SettingsForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const bench = useBench()
  const [given, setGiven] = useState(() => toDraft(bench.settings.get()))
  // Health is asked of what is written, but only once it has been left.
  const [checked, setChecked] = useState<{ client: CapClient | undefined; problem: string }>(() => tryClient(given, bench.createClient))
  const change = (part: Partial<Draft>): void => setGiven({ ...given, ...part })
  const check = (): void => setChecked(tryClient(given, bench.createClient))

  return (
    <form
      className="pg-settings"
      onSubmit={(event) => {
        event.preventDefault()
        const { client } = tryClient(given, bench.createClient)
        check()
        if (client === undefined) return
        bench.settings.set(toSettings(given))
        onClose()
      }}
    >
      <div className="pg-dialog-head">
        <h2 id="pg-settings-title">Settings</h2>
        <span className="cs-grow" />
        <button type="button" className="cs-icon-button" aria-label="Close settings" onClick={onClose}>
          <Glyph name="x" size={20} />
        </button>
      </div>
      <label className="pg-field">
        Base URL
        <input className="pg-input" data-mono="" value={given.baseUrl} spellCheck={false} autoComplete="off" required aria-describedby="pg-base-hint" onBlur={check} onChange={(event) => change({ baseUrl: event.currentTarget.value })} />
        <small id="pg-base-hint">A path on this server or an absolute URL; /assist is added to it.</small>
      </label>
      <HealthPill client={checked.client} />
      <label className="pg-field">
        API key
        <input className="pg-input" data-mono="" type="password" value={given.apiKey} autoComplete="off" aria-describedby="pg-key-hint" onBlur={check} onChange={(event) => change({ apiKey: event.currentTarget.value })} />
        <small id="pg-key-hint">Sent as a bearer token. Kept in this page’s memory, never stored.</small>
      </label>
      <div className="pg-field-row">
        <label className="pg-field">
          Timeout, seconds
          <input className="pg-input" type="number" min={0.5} max={600} step={0.5} required value={given.seconds} onChange={(event) => change({ seconds: event.currentTarget.value })} />
        </label>
        <label className="pg-field">
          Most retries
          <input className="pg-input" type="number" min={0} max={20} step={1} required value={given.retries} onChange={(event) => change({ retries: event.currentTarget.value })} />
        </label>
      </div>
      <p className="pg-problem" role="alert">
        {checked.problem}
      </p>
      <div className="pg-dialog-foot">
        <button type="button" className="cs-button" data-kind="plain" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="cs-button" data-kind="primary">
          Use for the next question
        </button>
      </div>
    </form>
  )
}

/** The fields as they are being written. */
interface Draft {
  readonly baseUrl: string
  readonly apiKey: string
  readonly seconds: string
  readonly retries: string
}

function toDraft({ baseUrl, apiKey, timeoutMs, maxRetries }: Settings): Draft {
  return { baseUrl, apiKey, seconds: String(timeoutMs / 1000), retries: String(maxRetries) }
}

function toSettings({ baseUrl, apiKey, seconds, retries }: Draft): Settings {
  return { baseUrl: toBaseUrl(baseUrl), apiKey, timeoutMs: Number(seconds) * 1000, maxRetries: Number(retries) }
}

function tryClient(draft: Draft, createClient: (settings: Settings) => CapClient): { client: CapClient | undefined; problem: string } {
  try {
    return { client: createClient(toSettings(draft)), problem: '' }
  } catch (error) {
    return { client: undefined, problem: isAgentError(error) ? error.message : 'These settings cannot work.' }
  }
}
