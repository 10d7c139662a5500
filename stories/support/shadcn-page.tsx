import type { ReactElement, ReactNode } from 'react'
import { useInsertionEffect } from 'react'
import bridge from '../../src/shadcn.css?inline'
import theme from './shadcn-theme.css?inline'

/** Makes the page one of shadcn's while the story is shown: its variables, and the bridge from them to the tokens. */
export function ShadcnPage({ children }: { readonly children: ReactNode }): ReactElement {
  useInsertionEffect(() => {
    const style = document.createElement('style')
    style.textContent = `${theme}\n${bridge}`
    document.head.append(style)
    return () => style.remove()
  }, [])
  return <>{children}</>
}
