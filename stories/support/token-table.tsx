import type { ReactElement } from 'react'
import { useEffect, useRef } from 'react'
import sheet from '../../src/styles/tokens.css?raw'
import './token-table.css'
import type { Token } from './tokens.ts'
import { readTokens } from './tokens.ts'

type Kind = 'colour' | 'font' | 'shadow' | 'radius' | 'size' | 'plain'

function kindOf({ name, value }: Token): Kind {
  if (/^--cs-(sans|mono)$/.test(name)) return 'font'
  if (name.startsWith('--cs-shadow')) return 'shadow'
  if (name.startsWith('--cs-r-')) return 'radius'
  if (CSS.supports('color', value)) return 'colour'
  return /^[\d.]+rem$/.test(value) ? 'size' : 'plain'
}

/** What a token looks like where the swatch is. */
function Swatch({ token }: { readonly token: Token }): ReactElement {
  const box = useRef<HTMLSpanElement>(null)
  const kind = kindOf(token)
  useEffect(() => {
    box.current?.style.setProperty('--swatch', `var(${token.name})`)
  }, [token])
  return (
    <span ref={box} className="token-swatch" data-kind={kind}>
      {kind === 'font' ? 'River 0123' : null}
    </span>
  )
}

/** Every token of the style sheet, read from the sheet itself, in light and in dark. */
export function TokenTable(): ReactElement {
  return (
    <>
      {readTokens(sheet).map(({ title, tokens }) => (
        <table key={title} className="token-table">
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">Token</th>
              <th scope="col">Light</th>
              <th scope="col">Dark</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <tr key={token.name}>
                <th scope="row">
                  <code>{token.name}</code>
                </th>
                <td data-theme="light">
                  <Swatch token={token} />
                </td>
                <td data-theme="dark">
                  <Swatch token={token} />
                </td>
                <td>
                  <code>{token.value}</code> {token.note}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </>
  )
}
