import { capMarks } from './cap-marks.ts'

/**
 * Bidirectional controls, zero-width spaces, soft hyphens and terminal control characters. Joiners and direction marks
 * count only inside a name, because languages need them elsewhere.
 */
// oxfmt-ignore
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const HIDDEN = /[\u0001-\u0008\u000B\u000C\u001B-\u001F\u007F-\u009F\u00AD\u200B\u202A-\u202E\u2060-\u2069\uFEFF]|(?<=[\w$])[\u061C\u200C-\u200F]/g

/** Cyrillic and Greek letters that look like Latin ones. */
const ALIKE = 'АВЕКМНОРСТУХЅІЈаеорсухѕіјһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧο'

const ALL_ALIKE = new RegExp(`[${ALIKE}]`, 'g')

/** A word in which nothing but such letters is not ASCII. */
const LOOKS_LATIN = new RegExp(`(?<![\\p{L}\\w$])(?=[\\w$]*[${ALIKE}])[\\w$${ALIKE}]+(?![\\p{L}\\w$])`, 'gu')

function nameOf(char: string): string {
  return `⟨U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/**
 * Code as it is read by a machine: characters that nobody sees, and that may make it look like other code, are named. So are
 * letters of another script in a word of Latin ones, where each of them looks Latin; in a word that is seen to be of two scripts
 * they stay, and so do words of one.
 */
export function showHidden(code: string): string {
  const seen = code.replace(HIDDEN, nameOf)
  // Nearly all code has no such letters, and a single search shows that.
  return seen.search(ALL_ALIKE) < 0
    ? seen
    : seen.replace(LOOKS_LATIN, (word) => (/[a-z]/i.test(word) ? word.replace(ALL_ALIKE, nameOf) : word))
}

/** Code as it is displayed. Copied code keeps all its combining marks. */
export function showCode(code: string): string {
  return capMarks(showHidden(code))
}

/** Puts characters together again that were cut by the pieces of a text: models and libraries cut where they like. */
export interface WholeCharacters {
  /** The text so far. Half a character at its end is held back until the next piece. */
  take(piece: string): string
  /** What was held back, at the end of the text. */
  rest(): string
}

export function createWholeCharacters(): WholeCharacters {
  let held = ''
  return {
    take(piece) {
      const text = held + piece
      const last = text.charCodeAt(text.length - 1)
      const whole = last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length
      held = text.slice(whole)
      return text.slice(0, whole)
    },
    rest() {
      const half = held
      held = ''
      return half
    },
  }
}
