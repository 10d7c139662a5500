/** An answer with everything markdown has; its picture is one of this server. */
export function riverGuide(origin: string): string {
  return `# River bends, a field guide

Water never runs straight for long. Stand on the outer bank and you stand where the river **takes**; cross over, and you are where it *gives*. [1]

## What to look for

- A steep outer bank, with roots in the air
- A flat inner bank, built of
  - sand from the last flood,
  - gravel from the one before
- A line of bubbles: \`thalweg\`, where the water is deepest

### In the order of a day

1. Walk down the inner bank.
2. Count the ridges in the sand: one for every flood. [2]
3. Look across. What hangs over there will fall in this winter.

| Stretch | Width | Bends | Speed |
| :--- | ---: | :---: | ---: |
| Upper reach | 8 m | 14 | 0.6 m/s |
| Middle reach | 31 m | 9 | 1.1 m/s |
| Lower reach | 74 m | 4 | ~~0.9~~ 0.8 m/s |

The distance between two bends follows from the width alone:

\`\`\`js
// Some ten to fourteen widths, for brooks and great rivers alike.
export function bendDistance(width, factor = 12) {
  if (width <= 0) throw new RangeError('a river has a width')
  return width * factor
}
\`\`\`

> The old maps show the bend half a mile upstream.
>
> The maps were not wrong.

Before you go:

- [x] Boots
- [ ] The tide table
- [ ] Somebody who knows where you are

![A river with four bends, seen from above](${origin}/scenario-media/meander.svg)

The rest is in the [river notes](${origin}/docs/samples/rivers), with what becomes of a loop that was cut off. [3] It keeps its name for centuries.[^name]

---

That is all a first walk needs.

[^name]: *Meander* comes from a river of that name in the west of Anatolia.
`
}
