/** An answer with formulas in every form that agents write, prices between them, and two diagrams. */
export const RIVER_FORMULAS = `The distance between two bends grows with the width of the channel, $\\lambda \\approx 11\\,w$, and the width with the discharge, \\(w = a\\,Q^{0.5}\\).

\\[
\\begin{aligned}
Q &= w\\,d\\,v \\\\
v &= \\frac{1}{n}\\,R^{2/3}\\,\\sqrt{S}
\\end{aligned}
\\]

A gauge costs $5 a day or $140 a month. From what it tells, the year is

$$ V = \\sum_{i=1}^{365} Q_i\\,\\Delta t $$

How the water gets to the sea:

\`\`\`mermaid
flowchart TD
  Spring --> Brook
  Brook --> River
  River -->|flood| Plain[Flood plain]
  Plain --> River
  River --> Sea
\`\`\`

And how a level gets to the station:

\`\`\`mermaid
sequenceDiagram
  participant G as Gauge
  participant S as Station
  G->>S: 3.4 m
  S-->>G: noted
  Note over S: above 4 m, warn the town
\`\`\`
`
