/** The answer most scenarios give: long enough to be cut anywhere. */
export const MEANDER_ANSWER = `No bank is perfectly even. Where the current brushes one side a little harder, that bank wears back, and the water swings across to the other side.

From then on each bend feeds the next. Fast water digs at the outside of the bend and carries the sand away; slow water on the inside lets it fall. The outer bank moves outward, the inner one grows a beach, and the bend becomes rounder from flood to flood.

The loops grow until two of them nearly touch. In the next high water the river takes the short way through the neck, and the old loop is left behind as an oxbow lake, which fills with reeds and mud until only a curved hollow in the meadow tells where the river was.

How wide the loops become depends on how much water passes. Small brooks and great rivers draw the same curve at different sizes: from one bend to the next is some ten to fourteen times the width of the stream.`

/** The paragraph a question is about, or all of them. */
export function riverAnswer(question: string): string {
  const [, , oxbow = '', width = ''] = MEANDER_ANSWER.split('\n\n')
  if (/oxbow|lake/i.test(question)) return oxbow
  return /wide|width|size|long|big/i.test(question) ? width : MEANDER_ANSWER
}

/** Arabic with a Latin name and figures in it: the parts of a sentence that turn around. */
export const ARABIC_ANSWER = `لا توجد ضفة مستوية تمامًا. حيث يشتدّ التيار قليلًا على أحد الجانبين تتآكل تلك الضفة، فينعطف الماء نحو الجانب الآخر.

ومنذ ذلك الحين يغذّي كل منعطف ما يليه: الماء السريع ينحت الضفة الخارجية، والماء البطيء يرسّب رمله على الضفة الداخلية.

ويُسمّى هذا الشكل باللاتينية meander، نسبةً إلى نهر Büyük Menderes في تركيا الذي يبلغ طوله نحو 548 كم. والمسافة من منعطف إلى آخر تساوي عرض المجرى 10 إلى 14 مرة.`

/** A page of sources that really opens, so that every citation leads somewhere. */
export const RIVER_PAGE = `# River notes

Sample pages that the scripted answers of the bench cite.

## How a bend begins

No bank is perfectly even. Where the current brushes one side a little harder, that bank wears back, and the water swings across to the other side.

## Inside and outside

Fast water digs at the outside of a bend; slow water on the inside lets its sand fall. So the outer bank moves outward while the inner one grows a beach.

## Oxbow lakes

When two loops nearly touch, high water breaks through the neck. The abandoned loop becomes an oxbow lake and fills up over a few hundred years.

## Sizes

From one bend to the next is some ten to fourteen times the width of the stream, for brooks and great rivers alike.

## The neck

The strip of land between two bends grows narrower from both sides. The last yards often go in a single night of flood.

## Roots

Willows and alders hold a bank for years. Where cattle have eaten them away the river moves twice as fast.

## Straightened rivers

A river that was dug straight begins to bend again within a few decades, unless its banks are made of stone.

## Old maps

Maps of the seventeen hundreds show bends half a mile from where they are today. The maps were not wrong.

## Under ice

Channels beneath glaciers meander too, and so does warm water in a cold sea. Banks are not needed for it.
`

/** Nine claims, each with its source. */
export const WELL_SOURCED_ANSWER = `A bend begins where one bank is a little weaker. [1] Fast water then digs at its outside and lays sand down on its inside, [2] until two bends nearly touch and an oxbow lake is left behind. [3]

The distance from one bend to the next follows the width of the stream, [4] while the neck between them grows narrower from both sides. [5] How fast that goes depends on the banks: roots hold them for years, [6] stone for ever, and a river that was dug straight begins to bend again as soon as it can. [7]

None of it is new: old maps show the same rivers in other places. [8] And none of it needs land, for currents in ice and sea draw the same curves. [9]`

export const OXBOW_NOTE = `### Oxbow lake

A loop the river has **left behind**.

1. Two bends grow towards each other.
2. High water breaks through the neck between them.
3. Sand closes both ends of the old loop.

> The lake lives for a few hundred years, then it is a meadow.`

export const OUTER_BANK = `On the outside the water is fast. It presses against the bank, turns downward and scoops the foot of it away, until what is above leans over and falls in. Here the river is deepest, and here the swallows dig their holes.`

export const INNER_BANK = `On the inside the water is slow. It cannot hold its sand any longer and lays it down in low ridges, one for every flood. Willows come first, then grass, then a path. The beach of today is the field of a hundred years from now.`

const WEATHER = [
  'The morning was grey and still.',
  'It rained before dawn and then no more.',
  'A dry wind came up the valley.',
  'Mist lay on the water until ten.',
  'The sun was out early and stayed.',
  'Frost had drawn a white line along both banks.',
  'A thunderstorm far upstream could be heard but not seen.',
]
const WATER = [
  'The water had dropped by the width of a hand, and the stones of the old ford showed their backs.',
  'The current carried leaves, and once a whole branch with a heron standing on it.',
  'At the gauge the level stood exactly where it had been the week before, as if the river had taken a rest.',
  'Brown water from the hills met the clear water of the brook, and for a mile they ran side by side without mixing.',
  'A new bar of gravel had appeared below the bridge, no longer than a boat, and the terns had found it already.',
]
const BANK = [
  'On the outer bank another yard of turf hung over the edge, held by its own roots.',
  'The inner bank had grown a fresh skin of sand with the tracks of an otter across it.',
  'Two alders that had leaned for years now lay in the water, and behind them the current turned in slow circles.',
  'Where the cattle come down to drink, the bank was trodden flat, and there the river had begun to try a shorter way.',
  'The fence that once stood well inland ended in the air above the bend.',
  'Swallows went in and out of the steep bank, which they will lose in the next flood and dig again.',
]
const THOUGHT = [
  'One sees no movement in a day, yet every post driven here in youth is a post on the other side in age.',
  'The old maps show the bend half a mile upstream, and the maps were not wrong.',
  'It is easy to think of the river as a line; it is rather the whole valley, used a little at a time.',
  'What it takes from one side it lays down on the other, and keeps no account.',
]

/** A diary with an entry for each day: about 55 words a day, no two neighbours alike. */
export function riverDiary(days: number): string {
  const entries = Array.from({ length: days }, (_, day) => {
    const pick = (from: readonly string[], step: number): string =>
      from[(day * step + Math.floor(day / from.length)) % from.length] ?? ''
    return `Day ${day + 1}. ${pick(WEATHER, 1)} ${pick(WATER, 2)} ${pick(BANK, 5)} ${pick(THOUGHT, 3)}`
  })
  return entries.join('\n\n')
}

/** A question and its answer out of the diary, for talks of any length. */
export function riverTurn(turn: number): { readonly question: string; readonly answer: string } {
  const pick = (from: readonly string[], step: number): string =>
    from[(turn * step + Math.floor(turn / from.length)) % from.length] ?? ''
  const sentences = [pick(WATER, 2), pick(BANK, 5), pick(THOUGHT, 3), pick(WATER, 3)]
  return {
    question: `What did you see on day ${turn + 1}?`,
    answer: [pick(WEATHER, 1), ...sentences.slice(0, 1 + (turn % 4))].join(' '),
  }
}

/** A file to ask about. */
export const RIVER_NOTES = `# Notes of the lower reach

Taken by the warden of the weir.

## The oxbow lakes

There are four of them between the weir and the tidal limit. The youngest was cut off in the flood of 1974. An oxbow lake here becomes about three hundred years old: then reeds and mud have filled it, and it is a meadow.

## The weir

The weir was built in 1911 and raised by half a metre in 1958. It is opened when the gauge shows more than 3.20 m.
`
