import { readFileSync } from 'node:fs'
import postcss from 'postcss'
import { ROOT } from '../layers/files.ts'

// src/styles/tokens.css as data: what each token is by default, with more contrast, and compact.

const sheet = postcss.parse(readFileSync(`${ROOT}src/styles/tokens.css`, 'utf8'))

/** The tokens a selector declares, by name. `query`: only inside of that media query; none: only outside of any. */
export function tokensOf(selector: string, query?: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  sheet.walkRules(selector, (rule) => {
    const parent = rule.parent
    const around =
      parent?.type === 'atrule' && 'params' in parent && parent.name === 'media' ? parent.params : undefined
    if (around !== query) return
    rule.walkDecls(/^--cs-/, (declaration) => {
      found[declaration.prop] = declaration.value.replaceAll(/\s+/g, ' ')
    })
  })
  return found
}

export const ROOT_SELECTOR = ':where(:root, :host)'
export const tokens = tokensOf(ROOT_SELECTOR)
export const moreContrast = tokensOf(":where([data-contrast='more'])")
export const compact = tokensOf(":where([data-density='compact'])")

export type Scheme = 'light' | 'dark'

/** A colour token's lightness, chroma and hue, its `var()` and `light-dark()` resolved. */
export function colourOf(
  name: string,
  scheme: Scheme,
  set: Readonly<Record<string, string>> = tokens,
): readonly [number, number, number] {
  let value = set[`--cs-${name}`]
  for (let other; (other = /^var\((--[\w-]+)\)$/.exec(value ?? '')?.[1]) !== undefined;) value = set[other]
  const sides = [...(value ?? '').matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)]
  const side = scheme === 'light' ? sides[0] : sides[1]
  if (!value?.startsWith('light-dark(') || side === undefined)
    throw new Error(`--cs-${name} is no light-dark() of two opaque colours: ${value}`)
  return [Number(side[1]), Number(side[2]), Number(side[3])]
}

/** oklch to sRGB as a screen shows it: three bytes. Out of gamut is an error, since each browser would mend it its own way. */
export function toRgb([lightness, chroma, hue]: readonly [number, number, number]): readonly number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return linear.map((light) => {
    const encoded = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
    const byte = Math.round(encoded * 255)
    if (byte < 0 || byte > 255) throw new Error(`oklch(${lightness} ${chroma} ${hue}) is outside of sRGB.`)
    return byte
  })
}

/** WCAG 2's contrast of two colours given as bytes. */
export function contrastOf(one: readonly number[], other: readonly number[]): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(bytes: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = bytes.map((byte) => {
    const share = byte / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
