'use client'

import { type ReactNode, forwardRef, useState } from 'react'
import { StatusMark } from '../internals/status-mark.tsx'
import { OpenLink } from '../internals/open-link.tsx'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { type DecisionProps, DecisionRoot } from './decision.tsx'
import { literalLabel } from '../literal-value.tsx'
import { safeLink } from '../../base/safe-url.ts'

export interface SignInCardProps extends DecisionProps {}

const LONGEST_ADDRESS = 200

/**
 * Renders a `<div>`: the host that the user is to sign in at, a link that opens it in another tab, and a button that says that it is
 * done. Nothing is fetched before the link is used. For an unsafe address it shows the reason and offers neither.
 *
 * @example
 * ```tsx
 * import { usePrompt } from 'capstan/react'
 * import { SignInCard } from 'capstan/components'
 *
 * export function SignIn({ id }: { id: string }) {
 *   const controls = usePrompt(id)
 *   return controls && <SignInCard controls={controls} isReady isSending={false} decline={null} />
 * }
 * ```
 */
export const SignInCard = forwardRef<HTMLDivElement, SignInCardProps>(function SignInCard(props, ref): ReactNode {
  const { controls, isReady, isSending, decline } = props
  const strings = usePromptStrings().signIn
  const [opened, setOpened] = useState<string>()
  const { url: text } = controls.prompt
  const address = readSignInAddress(text)
  const confirm = (): void => {
    if (isReady && !isSending) void controls.confirm()
  }
  return (
    <DecisionRoot {...props} ref={ref}>
      {'fault' in address ? (
        <>
          <StatusMark tag="p" className="cs-decision-note" icon="alert">
            {strings.faults[address.fault]}
          </StatusMark>
          {text && <bdi className="cs-literal">{literalLabel(text, LONGEST_ADDRESS)}</bdi>}
        </>
      ) : (
        <>
          <dl className="cs-subject">
            <div className="cs-subject-row">
              <dt className="cs-subject-key">{strings.site}</dt>
              <dd className="cs-subject-value">
                <bdi className="cs-literal" dir="ltr">
                  {address.host}
                </bdi>
              </dd>
            </div>
          </dl>
          {address.isForeign && (
            <StatusMark tag="p" className="cs-decision-note" icon="alert">
              {strings.foreign}
            </StatusMark>
          )}
        </>
      )}
      <div className="cs-prompt-actions">
        {decline}
        {'url' in address && (
          <>
            <button
              type="button"
              className="cs-button"
              data-kind={opened === text ? 'primary' : 'plain'}
              onClick={confirm}
            >
              {strings.done}
            </button>
            <OpenLink
              href={address.url.href}
              data-kind={opened === text ? 'plain' : 'primary'}
              onClick={(event) => {
                if (isReady) setOpened(text)
                else event.preventDefault()
              }}
            >
              {strings.open}
            </OpenLink>
          </>
        )}
      </div>
    </DecisionRoot>
  )
})

/** An address to sign in at, or why it cannot be opened. */
type SignInAddress =
  | {
      readonly url: URL
      /** As it is sent: letters of other scripts are written in ASCII. */
      readonly host: string
      /** Whether the host has letters of other scripts, which may look like those of another host. */
      readonly isForeign: boolean
    }
  | { readonly fault: SignInFault }

/** `missing`: there is no address. `unreadable`: it is none that a page may open. `insecure`: what is typed there could be read on the way. */
type SignInFault = 'missing' | 'unreadable' | 'insecure'

/** Reads an address that an agent gave. Only https is safe, and http on this device. */
function readSignInAddress(text: string | undefined): SignInAddress {
  if (text === undefined || text.trim() === '') return { fault: 'missing' }
  const url = safeLink(text)
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return { fault: 'unreadable' }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { fault: 'insecure' }
  return { url, host: url.host, isForeign: url.hostname.split('.').some((label) => label.startsWith('xn--')) }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
}
