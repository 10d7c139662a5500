'use client'
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode, Ref } from 'react'
import { useEffect, useState } from 'react'
import { useDictionary } from '../../dictionary/dictionary-context.tsx'
import { Icon } from '../icon.tsx'
import { IconButton } from '../icon-button.tsx'
import type { AttributesOf } from '../attributes/part-attributes.ts'
import type { buttonAttributes } from '../attributes/button-attributes.ts'
import { writeClipboard } from './write-clipboard.ts'

type Attributes = AttributesOf<typeof buttonAttributes, 'buttons'>

const SHOWN_MS = 2000

interface CopyButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children' | 'onClick'> {
  /** Called on click, so that nothing is joined while streaming. */
  readonly text: () => string
  /** The same as HTML. Absent: it is text alone. */
  readonly html?: (() => string | undefined) | undefined
  /** Says in words what it does, beside its glyph. */
  readonly labelled?: boolean | undefined
  readonly buttonRef?: Ref<HTMLButtonElement> | undefined
}

/** Copies text and says so in its own place for two seconds. */
export function CopyButton({ text, html, labelled = false, buttonRef, ...rest }: CopyButtonProps): ReactNode {
  const strings = useDictionary().message
  const [outcome, setOutcome] = useState<'copied' | 'failed' | undefined>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async ({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> => {
    const isCopied = await writeClipboard({ text: text(), html: html?.() }, currentTarget)
    setOutcome(isCopied ? 'copied' : 'failed')
  }
  const label = outcome === 'copied' ? strings.copied : outcome === 'failed' ? strings.copyFailed : strings.copy
  const icon = outcome === 'copied' ? 'check' : outcome === 'failed' ? 'alert' : 'copy'
  const press = {
    ...rest,
    ref: buttonRef,
    'data-outcome': outcome satisfies Attributes['data-outcome'],
    onClick: (event: MouseEvent<HTMLButtonElement>) => void copy(event),
  }
  if (!labelled) return <IconButton icon={icon} label={label} {...press} />
  return (
    <button type="button" className="cs-button" data-size="small" {...press}>
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  )
}
