import type { ReactElement } from 'react'
import { useEffect, useState } from 'react'
import { MarkdownBlock } from '../../src/components/markdown-block/markdown-block.tsx'

/** Text that comes as an agent says it: some letters more every twentieth of a second. */
export function Growing({ content, step = 8 }: { readonly content: string; readonly step?: number }): ReactElement {
  const [length, setLength] = useState(1)
  useEffect(() => {
    if (length >= content.length) return undefined
    const timer = setTimeout(() => setLength(length + step), 50)
    return () => clearTimeout(timer)
  }, [content, length, step])
  return <MarkdownBlock content={content.slice(0, length)} />
}
