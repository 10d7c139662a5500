import { SHAPES } from '../render/shapes.js'

const KNOWN = {
  shape: Object.keys(SHAPES).join(','),
  rate: '200,1000',
  size: '100',
  only: 'capstan,react,ai-sdk,raw',
  rounds: '3',
  seconds: '3',
  pace: 'clock',
}

/** What the command line asks for: `--shape=list,table --rate=1000 --size=100 --rounds=5 --seconds=60 --only=capstan,react`. */
export function readOptions(words) {
  const asked = { ...KNOWN }
  for (const word of words) {
    const [, name, value] = /^--(\w+)=(.+)$/.exec(word) ?? []
    if (name === undefined || !(name in KNOWN))
      throw new Error(
        `${word} is no option; there are ${Object.keys(KNOWN)
          .map((known) => `--${known}=`)
          .join(', ')}.`,
      )
    asked[name] = value
  }
  const list = (name) => asked[name].split(',')
  const numbers = (name) =>
    list(name).map((word) => {
      if (!Number.isFinite(Number(word))) throw new Error(`--${name} takes numbers, not ${word}.`)
      return Number(word)
    })
  const named = (name) => {
    const known = KNOWN[name].split(',')
    for (const word of list(name))
      if (!known.includes(word)) throw new Error(`--${name} takes ${known.join(', ')}, not ${word}.`)
    return list(name)
  }
  return {
    shapes: named('shape'),
    rates: numbers('rate'),
    /** In bytes. */
    sizes: numbers('size').map((size) => size * 1000),
    only: named('only'),
    rounds: numbers('rounds')[0],
    seconds: numbers('seconds')[0],
    /** As many tokens a frame as the rate gives at 60 frames a second, however few the machine has time for. */
    byFrames: asked.pace === 'frames',
  }
}
