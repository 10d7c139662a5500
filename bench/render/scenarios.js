// What is played. A scenario has pages that are played in turns; `at` says which stretch of thread and answer they show.
import { SHAPES } from './shapes.js'

const KB = 1000

/** An answer of a shape that is so long already. Streamed at 200 tokens a second: reading speed times ten. */
function shape(name, sizes, perSecond = 200) {
  const pages = sizes.flatMap((size) => [
    { key: `capstan ${size / KB} kB`, who: 'capstan', shape: name, size, messages: 10 },
    ...(size === 10 * KB && sizes.length === 3
      ? []
      : [{ key: `ai-sdk ${size / KB} kB`, who: 'ai-sdk', shape: name, size, messages: 10 }]),
  ])
  const most = sizes.at(-1)
  return {
    name,
    perSecond,
    tokens: 150,
    pages: [...pages, { key: `raw ${most / KB} kB`, who: 'raw', shape: name, size: most, messages: 10 }],
    most,
  }
}

/** A thread that is so long already, at the rate of the fastest models. */
function thread(name, messages, { shape = 'mixed', size = 10 * KB, perSecond = 1000 } = {}) {
  return {
    name,
    perSecond,
    tokens: Math.max(150, perSecond),
    pages: ['capstan', 'ai-sdk', 'raw'].map((who) => ({ key: who, who, shape, size, messages })),
  }
}

export const SCENARIOS = [
  ...Object.keys(SHAPES).map((name) => ({ ...shape(name, [KB, 100 * KB]), byDefault: true })),
  { ...thread('thread 2,000', 2000), byDefault: true },
  { ...thread('table 20 kB', 10, { shape: 'table', size: 20 * KB }), byDefault: true },
  { ...thread('thread 10', 10) },
  { ...thread('thread 200', 200) },
  { ...thread('rate 50', 200, { perSecond: 50 }) },
  { ...thread('rate 200', 200, { perSecond: 200 }) },
  { ...thread('rate 1,000, 100 kB', 200, { size: 100 * KB }) },
  ...Object.keys(SHAPES).map((name) => ({ ...shape(name, [10 * KB]), name: `${name} 10 kB` })),
]
