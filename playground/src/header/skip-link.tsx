import type { ReactNode, RefObject } from 'react'
import { linkTo } from '../address.ts'
import { useBench } from '../bench.ts'
import { useStore } from '../store.ts'

/** The first stop of the Tab key: past header and rail, to the chat. Its address is this page's own, as the part behind `#` names a scenario. */
export function SkipLink({ target }: { readonly target: RefObject<HTMLElement | null> }): ReactNode {
  const { scenario } = useStore(useBench().talk)
  return (
    <a
      className="pg-skip"
      href={linkTo(scenario)}
      onClick={(event) => {
        event.preventDefault()
        target.current?.focus()
      }}
    >
      Skip to the chat
    </a>
  )
}
