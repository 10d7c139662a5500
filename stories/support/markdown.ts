export const GUIDE_START = `# River bends

Water never runs straight for long. Stand on the outer bank and you stand where the river **takes**; cross over, and you are where it *gives*.[1]

## What to look for

- A steep outer bank, with roots in the air
- A flat inner bank, built of
  - sand from the last flood,
  - gravel from the one before
- A line of bubbles: \`thalweg\`, where the water is deepest

### In the order of a day

1. Walk down the inner bank.
2. Count the ridges in the sand: one for every flood.[2]
3. Look across. What hangs over there will fall in this winter.

| Stretch | Width | Bends | Speed |
| :--- | ---: | :---: | ---: |
| Upper reach | 8 m | 14 | 0.6 m/s |
| Middle reach | 31 m | 9 | 1.1 m/s |
| Lower reach | 74 m | 4 | ~~0.9~~ 0.8 m/s |

\`\`\`js
// Some ten to fourteen widths, for brooks and great rivers alike.
export function bendDistance(width, factor = 12) {
  return width * factor
}
\`\`\`
`

export const GUIDE_END = `> The old maps show the bend half a mile upstream.
>
> The maps were not wrong.

- [x] Boots
- [ ] The tide table

The rest is in the [survey of the lower reach](https://example.org/survey). A loop that was cut off keeps its name for centuries.[^name]

---

That is all a first walk needs.

[^name]: *Meander* comes from a river of that name in the west of Anatolia.
`

/** Every element markdown has, in the order a long answer would use them. */
export const GUIDE = `${GUIDE_START}\n${GUIDE_END}`

/** What a picture-taking agent writes; the host does not exist. */
export const REMOTE_PICTURE =
  'Seen from the air:\n\n![A river with four bends](https://pictures.example/bends.png)\n\nThe fourth is the widest.'

export const ARABIC_GUIDE = `## ما الذي تبحث عنه

الماء السريع ينحت **الضفة الخارجية**، والماء البطيء يرسّب رمله على الضفة الداخلية.

1. امشِ على الضفة الداخلية.
2. عُدّ حواف الرمل في \`meander\`.

> الخرائط القديمة لم تكن خاطئة.

| النهر | الطول |
| :--- | ---: |
| Büyük Menderes | 548 كم |
`

/** What an agent must never be able to do to a page. */
export const HOSTILE = `<img src="https://example.org/leak.png" onerror="alert(1)"> <b>bold?</b>

<script>alert(1)</script>

[run](javascript:alert(1)) and [https://bank.example](https://thief.example/) and ![picture](data:text/html,x)
`

export const WIDE_TABLE = `| River | Length | Basin | Discharge | Mouth | Gauge |
| :--- | ---: | ---: | ---: | :--- | :--- |
| Danube | 2,850 km | 801,463 km² | 6,500 m³/s | Black Sea | Ceatal Izmail |
| Rhine | 1,230 km | 185,000 km² | 2,900 m³/s | North Sea | Lobith |
`
