/**
 * Where the letters of a `mathvariant` begin in Unicode: `A`, `a`, `0`, `Α`, `α`; 0 where it has none. Browsers know no other variant
 * than `normal`.
 */
const VARIANTS: Readonly<Record<string, readonly number[]>> = {
  bold: [0x1d400, 0x1d41a, 0x1d7ce, 0x1d6a8, 0x1d6c2],
  italic: [0x1d434, 0x1d44e, 0, 0x1d6e2, 0x1d6fc],
  'bold-italic': [0x1d468, 0x1d482, 0, 0x1d71c, 0x1d736],
  script: [0x1d49c, 0x1d4b6],
  'bold-script': [0x1d4d0, 0x1d4ea],
  fraktur: [0x1d504, 0x1d51e],
  'bold-fraktur': [0x1d56c, 0x1d586],
  'double-struck': [0x1d538, 0x1d552, 0x1d7d8],
  'sans-serif': [0x1d5a0, 0x1d5ba, 0x1d7e2],
  'bold-sans-serif': [0x1d5d4, 0x1d5ee, 0x1d7ec],
  'sans-serif-italic': [0x1d608, 0x1d622],
  monospace: [0x1d670, 0x1d68a, 0x1d7f6],
}

/** Letters that Unicode had before it had the others. */
const OLDER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  italic: { h: 'ℎ' },
  script: { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' },
  fraktur: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' },
  'double-struck': { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
}

const RANGES = [/[A-Z]/, /[a-z]/, /\d/, /[Α-Ω]/, /[α-ω]/] as const
const FIRST = Array.from('Aa0Αα', (letter) => letter.charCodeAt(0))

/** A text in the letters of its variant. */
export function mathLetters(text: string, variant: string): string {
  const bases = VARIANTS[variant]
  if (bases === undefined) return text
  return Array.from(text, (letter) => {
    const older = OLDER[variant]?.[letter]
    const range = RANGES.findIndex((letters) => letters.test(letter))
    const base = bases[range] ?? 0
    return older ?? (base === 0 ? letter : String.fromCodePoint(base + letter.charCodeAt(0) - (FIRST[range] ?? 0)))
  }).join('')
}
