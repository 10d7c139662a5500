// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ArtifactCard } from '../src/components/artifact-card.tsx'
import { GapMark } from '../src/components/gap-mark.tsx'
import { Skeleton } from '../src/components/skeleton.tsx'
import { ToolCall } from '../src/components/tool-call.tsx'
import { UnknownEvent } from '../src/components/unknown-event.tsx'
import { UserNotice } from '../src/components/user-notice.tsx'
import { WarningNote } from '../src/components/warning-note.tsx'
import { errorOf } from './components/fake-chat.ts'

describe('every part', () => {
  const warning = errorOf({ severity: 'WARNING' })
  it.each([
    ['artifact', <ArtifactCard key="a" render={(props) => <section {...props} />} className="mine" id="mine" />],
    [
      'tool call',
      <ToolCall
        key="t"
        name="x"
        status="failed"
        render={(props) => <section {...props} />}
        className="mine"
        id="mine"
      />,
    ],
    [
      'unknown event',
      <UnknownEvent key="u" name="x" raw={1} render={(props) => <section {...props} />} className="mine" id="mine" />,
    ],
    [
      'notice',
      <UserNotice key="n" message="x" render={(props) => <section {...props} />} className="mine" id="mine" />,
    ],
    [
      'gap',
      <GapMark key="g" after={1} before={3} render={(props) => <section {...props} />} className="mine" id="mine" />,
    ],
    [
      'warning',
      <WarningNote key="w" error={warning} render={(props) => <section {...props} />} className="mine" id="mine" />,
    ],
    ['skeleton', <Skeleton key="s" render={(props) => <section {...props} />} className="mine" id="mine" />],
  ])('%s is on an element of your own, with its class and your attributes', (_, part) => {
    const { container } = render(part)
    const root = container.querySelector('section')
    expect(root?.id).toBe('mine')
    expect(root?.className).toMatch(/^cs-.* mine$/)
  })
})
