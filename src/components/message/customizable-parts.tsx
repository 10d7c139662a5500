import type { ReactNode } from 'react'
import { Fragment } from 'react'
import type { MessagePart } from '../../state/conversation/message.ts'
import { ErrorBoundary } from '../error-boundary/error-boundary.tsx'
import type { RenderPart } from './render-part.ts'

interface OwnPartsProps<Part extends MessagePart> {
  readonly parts: readonly Part[]
  readonly live: boolean
  readonly renderPart: RenderPart | undefined
  /** Shows together what the host leaves to capstan. */
  readonly children: (left: readonly Part[]) => ReactNode
}

/** Parts that capstan shows together, behind those of them that the host shows itself. A renderer that fails leaves them all to capstan. */
export function CustomizableParts<Part extends MessagePart>(props: OwnPartsProps<Part>): ReactNode {
  return (
    <ErrorBoundary resetKeys={[props.live]} fallback={props.children(props.parts)}>
      <Shown {...props} />
    </ErrorBoundary>
  )
}

function Shown<Part extends MessagePart>({ parts, live, renderPart, children }: OwnPartsProps<Part>): ReactNode {
  const left: Part[] = []
  const own: ReactNode[] = []
  for (const part of parts) {
    const shown = renderPart?.(part, { live })
    if (shown === undefined) left.push(part)
    else own.push(<Fragment key={part.id}>{shown}</Fragment>)
  }
  return (
    <>
      {own}
      {left.length > 0 && children(left)}
    </>
  )
}
