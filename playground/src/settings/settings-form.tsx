import type { ComponentProps, ReactNode } from 'react'
import { useId, useState } from 'react'
import { useBench } from '../bench.ts'
import { Button, IconButton } from '../button.tsx'
import { AgentHealth } from './agent-health.tsx'
import type { CheckedDraft, SettingsDraft } from './settings-draft.ts'
import { checkDraft, toDraft } from './settings-draft.ts'

/** Where the agent is, how patient the client is, and what the chat may load. */
export function SettingsForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const bench = useBench()
  const [given, setGiven] = useState(() => toDraft(bench.settings.get()))
  // Health is asked of what is written, but only once it has been left.
  const [checked, setChecked] = useState<CheckedDraft>(() => checkDraft(given, bench.createClient))
  const change = (part: Partial<SettingsDraft>): void => setGiven({ ...given, ...part })
  const check = (): void => setChecked(checkDraft(given, bench.createClient))

  return (
    <form
      className="pg-settings"
      onSubmit={(event) => {
        event.preventDefault()
        const next = checkDraft(given, bench.createClient)
        setChecked(next)
        if (next.settings === undefined) return
        bench.settings.set(next.settings)
        onClose()
      }}
    >
      <div className="pg-modal-head">
        <h2>Settings</h2>
        <span className="pg-grow" />
        <IconButton glyph="x" label="Close settings" onClick={onClose} />
      </div>
      <Field
        label="Base URL"
        hint="A path on this server or an absolute URL; /assist is added to it."
        data-mono=""
        spellCheck={false}
        required
        value={given.baseUrl}
        onBlur={check}
        onChange={(event) => change({ baseUrl: event.currentTarget.value })}
      />
      <AgentHealth client={checked.client} />
      <Field
        label="API key"
        hint="Sent as a bearer token. Held in this page’s memory, never stored."
        data-mono=""
        type="password"
        value={given.apiKey}
        onBlur={check}
        onChange={(event) => change({ apiKey: event.currentTarget.value })}
      />
      <Field
        label="Allowed media hosts"
        hint="Images from these hosts load automatically (HTTPS only). Use *.cdn.example for subdomains."
        data-mono=""
        spellCheck={false}
        value={given.mediaHosts}
        onBlur={check}
        onChange={(event) => change({ mediaHosts: event.currentTarget.value })}
      />
      <div className="pg-field-row">
        <Field
          label="Timeout (seconds)"
          type="number"
          min={0.5}
          max={600}
          step={0.5}
          required
          value={given.seconds}
          onChange={(event) => change({ seconds: event.currentTarget.value })}
        />
        <Field
          label="Max retries"
          type="number"
          min={0}
          max={20}
          step={1}
          required
          value={given.retries}
          onChange={(event) => change({ retries: event.currentTarget.value })}
        />
      </div>
      <label className="pg-switch">
        <input
          type="checkbox"
          role="switch"
          checked={given.markdown}
          aria-checked={given.markdown}
          onChange={(event) => change({ markdown: event.currentTarget.checked })}
        />
        Markdown
        <small>Request and render Markdown. Off: plain text.</small>
      </label>
      <p className="pg-problem" role="alert">
        {checked.problem}
      </p>
      <div className="pg-modal-foot">
        <Button kind="plain" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  )
}

interface FieldProps extends ComponentProps<'input'> {
  readonly label: string
  readonly hint?: string
  readonly 'data-mono'?: ''
}

function Field({ label, hint, ...rest }: FieldProps): ReactNode {
  const hintId = useId()
  return (
    <label className="pg-field">
      {label}
      <input {...rest} className="pg-input" autoComplete="off" aria-describedby={hint && hintId} />
      {hint && <small id={hintId}>{hint}</small>}
    </label>
  )
}
