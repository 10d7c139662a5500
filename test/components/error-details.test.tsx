// @vitest-environment jsdom
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { ErrorBanner } from '../../src/components/error-banner.tsx'
import { JobCard } from '../../src/components/job-card.tsx'
import { Message } from '../../src/components/message/message.tsx'
import { SessionStatus } from '../../src/components/session-status.tsx'
import { UserNotice } from '../../src/components/user-notice.tsx'
import { WarningNote } from '../../src/components/warning-note.tsx'
import { answer, createFakeChat, errorOf, text } from './fake-chat.ts'
import { show } from './show.tsx'

const CODE = 'code_for_developers'
const job = { code: CODE, message: 'The job is gone.' }
const failed = (severity: 'FATAL' | 'TRANSIENT' | 'WARNING') => errorOf({ severity, agentCode: CODE })

it.each<[part: string, shown: ReactNode]>([
  ['a fatal error', <ErrorBanner key="e" error={failed('FATAL')} />],
  ['a transient error', <ErrorBanner key="e" error={failed('TRANSIENT')} />],
  ['a warning', <WarningNote key="e" error={failed('WARNING')} />],
  ['a notice', <UserNotice key="e" message="That file is too large." code={CODE} />],
  ['an answer that failed', <Message key="e" messageId="a" />],
  ['a job that failed', <JobCard key="e" state="failed" error={job} />],
  ['a session that was refused', <SessionStatus key="e" phase="rejected" error={job} />],
])('the code of %s is in its details, and nowhere else', (_, shown) => {
  const message = answer('a', [text('Half')], { status: 'failed', error: failed('FATAL') })
  const { container } = show(createFakeChat({ messages: [message] }), shown)
  const withCode = [...container.querySelectorAll('*')].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.includes(CODE)),
  )
  expect(withCode).toHaveLength(1)
  expect(withCode[0]?.closest('details')?.open).toBe(false)
})
