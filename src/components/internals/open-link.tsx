import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from './icon.tsx'
import { LEAVING } from '../../base/safe-url.ts'

/** A link that looks like a button and leaves the page: it says so, to eyes and ears. Its address has passed the URL gate. */
export function OpenLink({ children, ...rest }: ComponentPropsWithoutRef<'a'>): ReactNode {
  return (
    <a className="cs-button" data-kind="plain" {...LEAVING} {...rest}>
      <span>{children}</span>
      <Icon name="out" size={14} />
      <span className="cs-hidden">{useDictionary().citations.newTab}</span>
    </a>
  )
}
