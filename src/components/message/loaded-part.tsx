'use client'
import type { ReactNode } from 'react'
import { Suspense, useContext } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { MessageStatusRow } from '../internals/message-status-row.tsx'
import { ReadingPositionContext } from '../internals/reading-position-context.ts'
import { StepButton } from '../internals/step-button.tsx'
import { useHydrated } from '../internals/use-hydrated.ts'
import type { PartComponents } from './part-components.ts'
import { loadParts, usePartLoading } from './part-loading.ts'

interface LoadedPartProps {
  /** Shows the part with its component. */
  readonly children: (components: PartComponents) => ReactNode
}

/**
 * A part of an answer whose code a page fetches with its first transcript. Nothing until that is here, and a row that tries
 * again where it cannot be had. What a server sent of it stays: a transcript keeps the row, and a message in none suspends.
 */
export function LoadedPart(props: LoadedPartProps): ReactNode {
  const isInTranscript = useContext(ReadingPositionContext) !== undefined
  const part = <Part {...props} />
  return isInTranscript ? part : <Suspense fallback={null}>{part}</Suspense>
}

function Part({ children }: LoadedPartProps): ReactNode {
  const isHydrated = useHydrated()
  const loading = usePartLoading()
  if (typeof loading === 'object') return children(loading)
  if (loading === 'failed') return <NotLoaded />
  // oxlint-disable-next-line typescript/only-throw-error -- how a component suspends in every version of React
  if (!isHydrated) throw loadParts()
  return null
}

function NotLoaded(): ReactNode {
  const { error, ending } = useDictionary()
  return (
    <MessageStatusRow icon="alert" tone="caution">
      <span>{error.broken}</span>
      <StepButton onPress={loadParts}>{ending.tryAgain}</StepButton>
    </MessageStatusRow>
  )
}
