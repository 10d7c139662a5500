// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AgentErrorInit } from '../../src/base/agent-error.ts'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { WarningNote } from '../../src/components/warning-note.tsx'
import { errorOf } from './fake-chat.ts'

describe('a warning', () => {
  it('is a note with the words of the agent, and its code in the details', () => {
    const dismiss = vi.fn()
    render(
      <WarningNote
        error={errorOf({ severity: 'WARNING', message: 'Elevation data is from 2019.', agentCode: 'stale_source' })}
        onDismiss={dismiss}
      />,
    )
    expect(screen.getByRole('note').textContent).toBe('Warning: Elevation data is from 2019.Detailsstale_source')
    expect(document.querySelector('details')?.textContent).toBe('Detailsstale_source')
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(dismiss).toHaveBeenCalledOnce()
  })

  it('is shown in the strings of the host where it has some for the code', () => {
    const told = (init: Partial<AgentErrorInit>): string | null => {
      const { container } = render(
        <DictionaryProvider
          strings={{
            errorMessages: {
              rate_limited: { title: 'Slow down', text: 'You are on the free plan.' },
              agent_error: ({ message }) => ({ title: 'Hm', text: `It says: ${message}` }),
            },
            agentErrorMessages: {
              stale_source: ({ details }) => ({ title: 'Old data', text: `From ${String(details?.['year'])}.` }),
            },
          }}
        >
          <WarningNote error={errorOf({ severity: 'WARNING', message: 'Elevation data is old.', ...init })} />
        </DictionaryProvider>,
      )
      return container.textContent
    }
    expect(told({ agentCode: 'STALE_SOURCE', details: { year: 2019 } })).toBe(
      'Warning: Old data · From 2019.DetailsSTALE_SOURCE',
    )
    expect(told({ agentCode: 'rate_limit_exceeded' })).toBe(
      'Warning: Slow down · You are on the free plan.Detailsrate_limit_exceeded',
    )
    expect(told({ agentCode: 'constructor' })).toBe('Warning: It says: Elevation data is old.Detailsconstructor')
    expect(told({ agentCode: 'upstream_timeout' })).toBe(
      'Warning: A required service isn’t responding · Please try again.Detailsupstream_timeout',
    )
  })
})
