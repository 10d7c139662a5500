// Keys and clicks in the form that WebDriver and WebDriver BiDi share.

/** Keys without a character, by their names. */
const NAMED: Readonly<Record<string, string>> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  Backspace: '\uE003',
  Control: '\uE009',
}

const valueOf = (key: string): string => NAMED[key] ?? key

/** The keys of `Control+v` go down one after the other, and up in the opposite order. */
export function keyActions(keys: string): object {
  const values = keys.split('+').map(valueOf)
  return {
    type: 'key',
    id: 'keyboard',
    actions: [
      ...values.map((value) => ({ type: 'keyDown', value })),
      ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
    ],
  }
}

export function typeActions(text: string): object {
  return {
    type: 'key',
    id: 'keyboard',
    actions: Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  }
}

export function clickActions(x: number, y: number): object {
  return {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  }
}
